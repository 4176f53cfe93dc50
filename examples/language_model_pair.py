"""Two language-model agents in a kitchen: what each decided, among how many candidates, and why it could.

python examples/language_model_pair.py [MODEL]

MODEL is the SPEC of a language model, such as smollm2, hf:FOLDER, langchain:openai:gpt-5 or http://localhost:8000/v1#small.
Without one the model `oracle` decides, which understands the planner's English and needs no weights.
"""

import sys
import tempfile
from pathlib import Path

import teach_agents as ta

MODEL = sys.argv[1] if len(sys.argv) > 1 else "oracle"
SPEC = f'lm:model="{MODEL}",max_decisions=40'

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "record.jsonl")
    result = ta.play("Coffee", room="FloorPlan7", commander=SPEC, follower=SPEC, record=path)
    record = ta.read_record(path)

for number, turn in enumerate(record.turns):
    for role, thought in turn.thoughts.items():
        if "choice" not in thought:  # how something was read, or what the Follower keeps in mind
            continue
        choices = len(thought.get("candidates", ()))
        print(f"turn {number:3} {role:>9}: {thought['choice']}  (of {choices}, {thought.get('seconds', 0):.2f} s)")
print(f"{'complete' if result.success else 'not complete'} after {result.turns} turns; {result.reason}")

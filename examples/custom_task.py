"""A task of your own: a definition file, a room in which it can be solved, and the planner pair that plays it.

python examples/custom_task.py
"""

import tempfile
from pathlib import Path

import teach_agents as ta
from teach_agents.simulator.embedded.solvability import generate

ICED_COFFEE = """{
  "task_id": 9001, "task_name": "Iced Coffee", "task_nparams": 0, "task_anchor_object": "coffee",
  "desc": "Make coffee and chill it.",
  "components": {
    "coffee": {"determiner": "a", "task_name": "Coffee", "task_params": []},
    "fridge": {"determiner": "a", "primary_condition": "objectType", "instance_shareable": true,
               "conditions": {"objectType": "Fridge", "receptacle": 1}, "condition_failure_descs": {}}
  },
  "relations": [{"property": "parentReceptacles", "failure_desc": "Put the coffee in the fridge.",
                 "head_entity_list": ["coffee"], "head_determiner_list": ["a"],
                 "tail_entity_list": ["fridge"], "tail_determiner_list": ["a"]}]
}"""

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "9001__iced_coffee.json").write_text(ICED_COFFEE)
    library = ta.TaskLibrary.builtin().extended([folder])
found = generate("FloorPlan7", library.task("Iced Coffee"), seed=3)
scenario = ta.Scenario("iced", "Iced Coffee", (), ta.Scene(found.room, randomize=True), found.seed)
household = ta.Household(ta.EmbeddedSimulator(), library)
pair = ta.PlannerCommander(), ta.PlannerFollower()
result = ta.run_session(household, *pair, scenario, limits=ta.Limits(max_turns=300))
for said in household.dialogue:
    print(f"{said.speaker:>9}: {said.text}")
print(f"{'complete' if result.success else 'not complete'} after {result.turns} turns; {result.reason}")

"""Play the plugin's task with the plugin's Commander and dialogue hook, all named as on the command line.

pip install examples/plugin_package
python examples/plugin_package/play_it.py
"""

import asyncio

from teach_agents import EmbeddedSimulator, Household, Limits, Scenario, Scene, Session, TaskLibrary, build
from teach_agents.simulator.embedded.solvability import generate

library = TaskLibrary.builtin().extended([build("task", "kitchen")])
found = generate("FloorPlan3", library.task("Mug In The Fridge"), seed=1)
scenario = Scenario("chill", "Mug In The Fridge", (), Scene(found.room, randomize=True), found.seed)
household = Household(EmbeddedSimulator(), library)
commander = build("agent", "reader:patience=80", role="commander")
follower = build("agent", "planner", role="follower")
session = Session(household, commander, follower, limits=Limits(max_turns=300))
session.with_hook(build("dialogue_hook", "house_rules"))
result = asyncio.run(session.run(scenario))
for said in household.dialogue:
    print(f"{said.speaker:>9}: {said.text}")
print(f"{'complete' if result.success else 'not complete'} after {result.turns} turns; {result.reason}")
for role, privileges in result.privileges.items():
    print(f"{role} read beyond its screens: {', '.join(sorted(privileges)) or 'nothing'}")
for name, notes in result.hooks:
    print(f"{name}: {notes}")

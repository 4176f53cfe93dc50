"""Judge a TEACh game file: what its task asks for, what was true at either end, and what was missing.

python examples/judge_game.py GAME.game.json
"""

import sys

from teach_agents import TaskLibrary, TeachAgentsError, read_game

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    game = read_game(sys.argv[1])
    task = TaskLibrary.builtin().task(game.task.task_name, game.task.task_params)
except TeachAgentsError as error:
    sys.exit(f"judge_game: {error}")

episode = game.episode
print(f"{game.game_id}: {task.name}{list(task.params)} in {episode.room}, {len(episode.interactions)} interactions")
print(task.description)
for name, state in (("initial", episode.initial_state), ("final", episode.final_state)):
    progress = task.check(state.objects)
    verdict = "complete" if progress.success else "not complete"
    counts = f"{progress.goal_conditions_satisfied} of {progress.goal_conditions_total} goal conditions hold"
    print(f"{name} state: {verdict}, {counts}")
    for step in (step for subgoal in progress.subgoals for step in subgoal.steps if not step.success):
        print(f"  {step.object_type} ({step.object_id}): {step.desc}")

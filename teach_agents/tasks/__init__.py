"""TEACh's task definition language: definitions, progress checks, preconditions, object classes.

```python
task = TaskLibrary.builtin().task("Salad", ["1", "2", "1"])
progress = task.check(objects)
```
"""

from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES, object_classes, type_from_id
from teach_agents.tasks.library import TaskLibrary, builtin_folder, free_play_file
from teach_agents.tasks.progress import ProblemKey, Progress, Step, SubGoal
from teach_agents.tasks.state_diff import apply_state_diff, evaluation_task, state_diff_changes
from teach_agents.tasks.task import FREE_PLAY, Task

__all__ = [
    "FREE_PLAY",
    "OBJECT_CLASSES",
    "OBJECT_TYPES",
    "ProblemKey",
    "Progress",
    "Step",
    "SubGoal",
    "Task",
    "TaskLibrary",
    "apply_state_diff",
    "builtin_folder",
    "evaluation_task",
    "free_play_file",
    "object_classes",
    "state_diff_changes",
    "type_from_id",
]

"""TEACh's task definition language: definitions, progress checks, preconditions, object classes.

```python
task = TaskLibrary.builtin().task("Salad", ["1", "2", "1"])
progress = task.check(objects)
```
"""

from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES, object_classes, type_from_id
from teach_agents.tasks.library import TaskLibrary
from teach_agents.tasks.progress import ProblemKey, Progress, Step, SubGoal
from teach_agents.tasks.task import Task

__all__ = [
    "OBJECT_CLASSES",
    "OBJECT_TYPES",
    "ProblemKey",
    "Progress",
    "Step",
    "SubGoal",
    "Task",
    "TaskLibrary",
    "object_classes",
    "type_from_id",
]

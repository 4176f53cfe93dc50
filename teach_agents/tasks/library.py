"""Libraries of task definitions: the 25 that ship with this package, and any other files of the format."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from teach_agents.errors import DefinitionError
from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES
from teach_agents.tasks.definitions import AtomicComponent, Definition, Definitions, read_definition
from teach_agents.tasks.substitution import ParameterKind, check_parameters, parameter_kinds, resolve
from teach_agents.tasks.task import Task

_REMEMBERED = 256
"""So many tasks that were made are kept: sessions ask for the same ones again and again."""


def builtin_folder() -> Path:
    """Where the 25 definition files of this package are."""
    return Path(__file__).parent / "definitions"


def free_play_file() -> Path:
    """The definition of `FREE_PLAY`, the task without goals, which is none of TEACh's."""
    return Path(__file__).parent / "free_play.json"


class TaskLibrary:
    """Definitions that fit together: names and ids unique, sub-tasks known, no cycles.

    A task is made by name and parameters. What is used as an object type or class, in a definition or as a parameter,
    must be one that iTHOR knows (`classes`) or that `extra_types` names.
    """

    def __init__(self, definitions: Iterable[Definition], *, extra_types: Iterable[str] = ()) -> None:
        self._by_name: dict[str, Definition] = {}
        for definition in definitions:
            self._add(definition)
        for definition in self._by_name.values():
            self._check_subtasks(definition)
        self._check_cycles()
        self._types = frozenset(extra_types)
        self._made: dict[tuple[str, str], Task] = {}
        for definition in self._by_name.values():
            self._check_types(definition)

    def __getstate__(self) -> dict[str, object]:
        """All but the tasks that were made, whose checks cannot be sent to another process."""
        return {**vars(self), "_made": {}}

    @staticmethod
    @functools.cache
    def builtin() -> TaskLibrary:
        """TEACh's 25 tasks in our own words."""
        return TaskLibrary.load([builtin_folder()])

    @classmethod
    def load(cls, paths: Iterable[str | Path], *, extra_types: Iterable[str] = ()) -> TaskLibrary:
        """Definitions from files and folders (every `.json` directly in them).

        Raises `DefinitionError` naming file, key, offending value and what would be valid.
        """
        return cls(map(read_definition, _files(paths)), extra_types=extra_types)

    def extended(self, paths: Iterable[str | Path], *, extra_types: Iterable[str] = ()) -> TaskLibrary:
        """This library and more definitions, which may use its tasks."""
        more = map(read_definition, _files(paths))
        return TaskLibrary([*self._by_name.values(), *more], extra_types=self._types.union(extra_types))

    @property
    def names(self) -> list[str]:
        """The tasks' names, in the order of their ids."""
        return sorted(self._by_name, key=lambda name: self._by_name[name].task_id)

    @property
    def definitions(self) -> Definitions:
        """The definitions by name, read-only."""
        return MappingProxyType(self._by_name)

    def definition(self, name: str) -> Definition:
        """One definition. Raises `DefinitionError` for an unknown name."""
        found = self._by_name.get(name)
        if found is None:
            raise DefinitionError("task", "is not known", value=name, valid=self.names)
        return found

    def task(self, name: str, params: Sequence[str] = ()) -> Task:
        """A task with its parameters, ready to be checked.

        Raises `DefinitionError` for an unknown name, and for parameters of the wrong number or kind.
        """
        key = name, repr(list(params))
        made = self._made.get(key)
        if made is None:
            self.definition(name)
            check_parameters(self._by_name, name, params, self._types)
            made = Task(resolve(self._by_name, name, params))
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            self._made[key] = made
        return made

    def parameter_kinds(self, name: str) -> list[ParameterKind]:
        """What each parameter of a task stands for."""
        return parameter_kinds(self._by_name, self.definition(name).name)

    def _add(self, definition: Definition) -> None:
        for other in self._by_name.values():
            for key, field in (("task_name", "name"), ("task_id", "task_id")):
                value = getattr(definition, field)
                if value == getattr(other, field):
                    where = f"{definition.source}, key '{key}'"
                    raise DefinitionError(where, f"is already that of {other.name!r} in {other.source}", value=value)
        self._by_name[definition.name] = definition

    def _check_subtasks(self, definition: Definition) -> None:
        for key, component in definition.subtasks():
            where = f"{definition.source}, key 'components'.{key}"
            known = self._by_name.get(component.task_name)
            if known is None:
                valid = sorted(self._by_name)
                raise DefinitionError(f"{where}.task_name", "is no known task", value=component.task_name, valid=valid)
            if len(component.task_params) != known.nparams:
                problem = f"task {known.name!r} takes {known.nparams} parameters, not {len(component.task_params)}"
                raise DefinitionError(f"{where}.task_params", problem, value=list(component.task_params))

    def _check_types(self, definition: Definition) -> None:
        """Refuse types and classes, named outright, that nobody knows."""
        for key, component in definition.components.items():
            conditions = component.conditions if isinstance(component, AtomicComponent) else {}
            for name, known in (("objectType", OBJECT_TYPES), ("simbotObjectClass", OBJECT_CLASSES)):
                wanted = conditions.get(name)
                if isinstance(wanted, str) and "#" not in wanted and wanted not in (*known, *self._types):
                    where = f"{definition.source}, key 'components'.{key}.conditions.{name}"
                    raise DefinitionError(where, "is not known", value=wanted, valid=sorted(known))

    def _check_cycles(self) -> None:
        done: set[str] = set()

        def visit(name: str, *path: str) -> None:
            if name in path:
                chain = " -> ".join((*path[path.index(name) :], name))
                raise DefinitionError(self._by_name[name].source, "the task contains itself", value=chain)
            if name not in done:
                for _, component in self._by_name[name].subtasks():
                    visit(component.task_name, *path, name)
                done.add(name)

        for name in self._by_name:
            visit(name)


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, [paths] if isinstance(paths, (str, Path)) else paths):
        found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not (found and path.exists()):
            raise DefinitionError(str(path), "does not exist" if found else "holds no .json file")
        yield from found

"""The map of a room: every object that was seen so far, as it was last seen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy

Row = Mapping[str, object]
"""An object as AI2-THOR's metadata has it; never written to."""

_PARENTS, _CONTENTS, _LAST_PARENT = "parentReceptacles", "receptacleObjectIds", "simbotLastParentReceptacle"


class Known:
    """What was seen so far, by id. A row stays the same value as long as it says the same.

    Rows name other objects only when these are known too: what holds a thing is what was seen to hold it, and a
    receptacle holds what was last seen in or on it.
    """

    def __init__(self) -> None:
        self._last: dict[str, Row] = {}
        self._shown: dict[str, Row] = {}
        self._rows: tuple[Row, ...] | None = ()
        self.in_view: frozenset[str] = frozenset()

    def __deepcopy__(self, memo: dict[int, object]) -> Known:
        """Another that knows the same; rows are shared, since nobody writes to them."""
        made = copy(self)
        made._last, made._shown = dict(self._last), dict(self._shown)
        return made

    def note(self, rows: Iterable[Row]) -> None:
        """These are seen now, as their rows say."""
        ids = []
        for row in rows:
            name = str(row["objectId"])
            ids.append(name)
            if self._last.get(name) is not row:
                self._last[name] = row
                self._rows = None
        self.in_view = frozenset(ids)

    def forget(self, ids: Collection[str]) -> None:
        """These are not where they were last seen, or are no more. Unknown ids are passed over."""
        for name in ids:
            if self._last.pop(name, None):
                self._shown.pop(name, None)
                self._rows = None

    def __contains__(self, object_id: object) -> bool:
        return object_id in self._last

    def __len__(self) -> int:
        return len(self._last)

    def row(self, object_id: str) -> Row | None:
        """One object as it was last seen, before names of what is unknown were left out."""
        return self._last.get(object_id)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Everything known, in the order in which it was first seen."""
        if self._rows is None:
            held = self._holdings()
            self._rows = tuple(self._show(name, row, held.get(name, [])) for name, row in self._last.items())
        return self._rows

    def _holdings(self) -> dict[str, list[str]]:
        """By id of a receptacle: the ids of what was last seen in or on it."""
        held: dict[str, list[str]] = {}
        for name, row in self._last.items():
            for parent in names_in(row.get(_PARENTS)):
                held.setdefault(parent, []).append(name)
        return held

    def _show(self, name: str, row: Row, contents: list[str]) -> Row:
        """A row that names nothing unknown: the one that was shown before when it says the same."""
        last = row.get(_LAST_PARENT)
        told: dict[str, object] = {
            _PARENTS: [parent for parent in names_in(row.get(_PARENTS)) if parent in self._last],
            _CONTENTS: contents,
            _LAST_PARENT: last if last in self._last else None,
        }
        changes = {key: value for key, value in told.items() if row.get(key) is not None and value != row[key]}
        shown = self._shown.get(name)
        if shown is None or not _says(shown, row, changes):
            shown = self._shown[name] = _Shown(row, changes) if changes else row
        return shown


class _Shown(dict[str, object]):
    """A row with some of its values changed; `source` is the row."""

    def __init__(self, row: Row, changes: Mapping[str, object]) -> None:
        super().__init__({**row, **changes})
        self.source = row
        self.changes = changes


def _says(shown: Row, row: Row, changes: Mapping[str, object]) -> bool:
    """Whether what was shown is a row with these changes."""
    if isinstance(shown, _Shown):
        return shown.source is row and shown.changes == changes
    return shown is row and not changes


def names_in(value: object) -> list[str]:
    """The ids in a row's value, none where it is no list of them."""
    return [str(name) for name in value] if isinstance(value, list | tuple) else []

"""Which of the commands that are offered comes nearest to the one that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from teach_agents.agents.english.understanding import understand_instructions
from teach_agents.agents.english.values import Instruction, Reference
from teach_agents.tasks.classes import object_classes

_MANY = 3
"""How much worse it is to speak of all where one is meant than to leave a detail out."""


@lru_cache(maxsize=4096)
def meant_by(command: str) -> Instruction | None:
    """The instruction of a candidate's text; `None` for one that is no command."""
    found = understand_instructions(command)
    return found[0] if len(found) == 1 else None


def speaks_of(noun: str, kind: str) -> bool:
    """Whether a noun, a type or class, may speak of things of a type, or of things of a class that it is."""
    noun, kind = noun.removesuffix("Basin"), kind.removesuffix("Basin")
    return noun == kind or noun in object_classes(kind)


def nearest(wish: str, choices: Sequence[str]) -> str | None:
    """The choice that is the wish, or the same done to such a thing, with fewest differences in how that is described.

    `None` where nothing offered has the same verb with the same kinds of things.
    """
    if wish in choices:
        return wish
    meant = meant_by(wish)
    if meant is None:
        return None
    found: list[tuple[int, int, str]] = []
    for place, choice in enumerate(choices):
        offered = meant_by(choice)
        if offered is not None and _same_deed(meant, offered):
            found.append((_differences(meant, offered), place, choice))
    return min(found)[2] if found else None


def _same_deed(meant: Instruction, offered: Instruction) -> bool:
    return meant.verb is offered.verb and all(
        _same_kind(ours, theirs) for ours, theirs in ((meant.what, offered.what), (meant.where, offered.where))
    )


def _same_kind(meant: Reference | None, offered: Reference | None) -> bool:
    if meant is None or offered is None:
        return meant is offered
    return speaks_of(offered.noun, meant.noun) or speaks_of(meant.noun, offered.noun)


def _differences(meant: Instruction, offered: Instruction) -> int:
    pairs = ((meant.what, offered.what), (meant.where, offered.where))
    return sum(_apart(one, other) for one, other in pairs if one is not None and other is not None)


def _apart(meant: Reference, offered: Reference) -> int:
    """In how many things two descriptions differ."""
    counts = 0 if meant.count == offered.count else _MANY
    rest = ("noun", "definite", "states", "place", "content", "landmark")
    return counts + sum(bool(getattr(meant, name) != getattr(offered, name)) for name in rest)

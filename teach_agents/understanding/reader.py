"""What reads an utterance: a plugin kind, `understanding`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from teach_agents.core.dialogue import Reading

if TYPE_CHECKING:
    from teach_agents.core.registry import Registry

LONGEST = 600
"""Characters of an utterance that are read: sentences beyond it are not."""
UNREACHED = "unreached"
"""By what a reading is of an utterance that nobody could be asked about: a model that does not answer."""


@runtime_checkable
class Reader(Protocol):
    """Reads utterances as dialogue acts. May be called from several threads at once, and raises nothing."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """The acts of an utterance; none, with confidence 0, where it reads nothing of it.

        `recent` are the turns before, oldest first: lines "person: ...", "robot: ..." and "did: ..." (an act of the
        notation). Of texts longer than `LONGEST` the sentences that fit are read, and the rest is `Act.UNCLEAR`.
        """


@runtime_checkable
class Loadable(Protocol):
    """A reader with weights, which it loads with the first utterance, or before where it is told to."""

    def load(self) -> None:
        """Load the weights. May be called from any thread."""


def load_weights_of(reader: Reader) -> None:
    """Have a reader load its weights now, if it has any."""
    if isinstance(reader, Loadable):
        reader.load()


def load_reader(
    spec: str | Reader = "hybrid", *, allow_import: bool = False, registry: Registry | None = None
) -> Reader:
    """The reader that a SPEC names; a reader is given back as it is.

    `rules` needs nothing; `heads` needs the extra `models` and `minilm`; `lm` needs `smollm2`, or the model that it is
    given; `hybrid` is rules, and heads where these are there, with `model=true` SmolLM2 as well. Raises `SpecError`,
    `MissingExtraError` and, for weights that are not there, `ModelMissingError`.
    """
    from teach_agents.core.specs import build
    from teach_agents.kinds import UNDERSTANDING

    if not isinstance(spec, str):
        return spec
    return build(UNDERSTANDING, spec, allow_import=allow_import, registry=registry)


def quick(reader: Reader) -> Reader:
    """What stands in for a reader in talks between agents, where nobody waits a second: its `quick` one, if any."""
    found: Reader = getattr(reader, "quick", reader)
    return found


def fitting(text: str) -> tuple[str, bool]:
    """As many sentences of a text as are read, and whether that is all of it."""
    if len(text) <= LONGEST:
        return text, True
    ends = [found.end() for found in re.finditer(r"[.!?;\n…]", text[:LONGEST])]
    return text[: ends[-1] if ends else 0], False

"""Rules where they are certain, heads for the rest; what neither is sure of is unclear."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache

from teach_agents.core.dialogue import Act, DialogueAct, Reading, Slot
from teach_agents.errors import MissingExtraError, ModelMissingError
from teach_agents.understanding.heads.reader import HeadsReader
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.reader import Reader
from teach_agents.understanding.rules_reader import RulesReader

RULES_RIGHT = 0.95
"""How often rules are right about what they read."""
SURE = 0.3
"""Below this confidence a reading is not acted upon: it is `Act.UNCLEAR`, with what was understood of it."""
_LOG = logging.getLogger(__name__)


class HybridReader:
    """Reads with rules, then with heads if torch and the encoder are there; without them, which is logged once, with
    rules alone. An utterance that neither reads, or not surely, is one act `Act.UNCLEAR`.
    """

    def __init__(self) -> None:
        self._rules = RulesReader()
        self._heads = _heads()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        found = self._rules.read(text, recent)
        if found.acts:
            return found._replace(confidence=RULES_RIGHT)
        if self._heads is not None:
            found = self._heads.read(text, recent)
        return found if found.acts and found.confidence >= SURE else _unclear(found)


def _unclear(found: Reading) -> Reading:
    """What is left of a reading that is not sure: the things that it names."""
    slots = [slot for act in found.acts for one in (act, *act.of) for slot in one.slots if slot.role == ""]
    known = dict.fromkeys(slot.phrase for slot in slots if is_known(slot.phrase))
    return found._replace(acts=(DialogueAct(Act.UNCLEAR, slots=tuple(Slot("", one) for one in known)),))


@cache
def _heads() -> Reader | None:
    try:
        return HeadsReader()
    except (MissingExtraError, ModelMissingError) as error:
        _LOG.warning("requests are read by rules alone: %s", error)
        return None

"""Rules where they read, then the pair's own English, then heads: for talks between agents, and where no heads are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.core.dialogue import COURTESIES, Act, DialogueAct, Reading, Slot
from teach_agents.understanding.heads.reader import HeadsReader
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.phrasebook_reader import PhrasebookReader
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.rules_reader import RulesReader
from teach_agents.understanding.spelling import is_gibberish
from teach_agents.understanding.word_boundaries import spaced

RULES_RIGHT = 0.72
"""How often rules are right about what they read, of the part of the corpus that is held out."""
SURE, _FORBIDS = 0.1, 0.05
"""Below this confidence a reading of one act is not acted upon: it is `Act.UNCLEAR`, with what was understood of it;
below the second not even what only forbids."""
_LIKELY = 0.5
"""A guess at a sentence beside others that rules read counts from this confidence on."""
_SENTENCE = re.compile(r"[^.!?;\n…]+[.!?;…]*")
_MOST_PARTS = 8
_ELSE = re.compile(r"(?:or |and )?(?:otherwise|else|if not|if (?:it|there)(?:'?s not| is not| isn'?t))\b")


class CascadeReader:
    """Reads with rules, then by the pair's own English, then with `heads` if there are any. What is not read whole is
    read sentence by sentence. What no part reads, or not surely, is `Act.UNCLEAR`.
    """

    def __init__(self, heads: HeadsReader | None) -> None:
        self.rules = RulesReader()
        self._heads = heads
        self._phrasebook = PhrasebookReader()

    def load(self) -> None:
        """Load the weights of the heads, where these are there."""
        if self._heads is not None:
            self._heads.load()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        found = self.certain(text, recent)
        if found is not None:
            return found
        parts = [part for part in _SENTENCE.findall(fitting(text)[0]) if any(map(str.isalpha, part))]
        if not 1 < len(parts) <= _MOST_PARTS:
            return self._guessed(text, recent)
        lines, found_in = list(recent), list[Reading]()
        for part in parts:
            said = self.certain(part, lines) or self._guessed(part, lines)
            found_in.append(_otherwise(part, said, found_in))
            lines.append(f"person: {part}")
        return _joined(found_in)

    def certain(self, text: str, recent: Sequence[str]) -> Reading | None:
        """What is read by rules; else an order or hint in the pair's own English, of things known by name."""
        found = self.rules.read(text, recent)
        if found.acts:
            return found._replace(confidence=RULES_RIGHT)
        own = self._phrasebook.read(text, recent)
        kinds = {act.act for act in own.acts}
        if (
            kinds
            and kinds <= {Act.ORDER, Act.FACT}
            and all(is_known(slot.phrase) for act in own.acts for slot in act.slots)
        ):
            return own._replace(confidence=RULES_RIGHT)
        return None

    def _guessed(self, text: str, recent: Sequence[str]) -> Reading:
        blind = is_gibberish(spaced(text))
        found = Reading((), 0.0, "") if blind or self._heads is None else self._heads.read(text, recent)
        if found.acts and is_sure(found):
            return found
        own = self._phrasebook.read(text, recent)
        if own.acts and all(act.act is Act.OK for act in own.acts):
            return own._replace(confidence=SURE)
        return unclear(found)


def is_sure(found: Reading) -> bool:
    """Whether a reading is acted upon: of several acts all are seldom right together, and most of them are; what only
    forbids is heeded sooner, as nothing is done by it.
    """
    forbids = bool(found.acts) and all(act.act in (Act.NEVER, Act.NOT_UNTIL) for act in found.acts)
    return found.confidence * max(1, len(found.acts)) >= (_FORBIDS if forbids else SURE)


def _otherwise(part: str, found: Reading, before: Sequence[Reading]) -> Reading:
    """A sentence that begins with "otherwise": its orders hold where the condition before it does not."""
    condition = next((act.condition for one in reversed(before) for act in one.acts[::-1] if act.condition), None)
    if condition is None or not _ELSE.match(part.strip().lower()):
        return found
    turned = condition._replace(holds=not condition.holds)
    acts = (act._replace(condition=turned) if act.act is Act.ORDER else act for act in found.acts)
    return found._replace(acts=tuple(acts))


def _joined(found: Sequence[Reading]) -> Reading:
    """Sentences as one utterance. What is unclear, or only guessed at, counts where nothing else was asked for."""
    asking = [one for one in found if any(act.act not in (Act.UNCLEAR, *COURTESIES) for act in one.acts)]
    certain = [one for one in asking if one.confidence >= RULES_RIGHT]
    asking = [one for one in asking if one in certain or one.confidence >= _LIKELY] if certain else asking
    polite = [one for one in found if all(act.act in COURTESIES for act in one.acts)]
    told = [one for one in found if one in asking or one in polite] if asking else list(found)
    parts = "+".join(dict.fromkeys(one.by for one in told))
    return Reading(tuple(act for one in told for act in one.acts), min(one.confidence for one in asking or told), parts)


def unclear(found: Reading) -> Reading:
    """What is left of a reading that is not sure: the things that it names."""
    slots = [slot for act in found.acts for one in (act, *act.of) for slot in one.slots if slot.role == ""]
    known = dict.fromkeys(slot.phrase for slot in slots if is_known(slot.phrase))
    return found._replace(acts=(DialogueAct(Act.UNCLEAR, slots=tuple(Slot("", one) for one in known)),))

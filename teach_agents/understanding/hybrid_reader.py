"""Rules and heads together, and a small language model where neither is likely enough to be right."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile

from teach_agents.core.dialogue import CONTROL, COURTESIES, Act, DialogueAct, Reading
from teach_agents.errors import MissingExtraError, ModelMissingError
from teach_agents.understanding.cascade_reader import SURE, CascadeReader, is_sure, unclear
from teach_agents.understanding.concessions import without_concession, without_remark
from teach_agents.understanding.conditionals import with_branches, with_polarity
from teach_agents.understanding.heads.reader import HeadsReader
from teach_agents.understanding.matching import same
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.paraphrases import reworded
from teach_agents.understanding.reader import LONGEST
from teach_agents.understanding.reading_options import FLOOR, Option, chance
from teach_agents.understanding.small_lm.reader import NAME as MODEL
from teach_agents.understanding.small_lm.reader import SmallModelReader
from teach_agents.understanding.spelling import is_gibberish
from teach_agents.understanding.word_boundaries import spaced

CERTAIN = 0.9
"""How often rules are right about what is plain (see `is_plain`), of the requests that nothing is trained on."""
ENOUGH = 0.6
"""From this chance on no more is asked."""
_UNSURE = 0.3
"""Below it the model is asked: of a quarter of what strangers say."""
_SURER = 1.5
"""What is so much surer without what was said before is read without it."""
_SHORT = 3
"""Words of what is plain."""
_PLAIN = {Act.ORDER, Act.QUESTION, Act.OTHER_LANGUAGE} | CONTROL | COURTESIES - {Act.OK, Act.CHAT}
_TOO = re.compile(r"\b(?:too|as well|also)(?:\W+please)?\W*(?<!\?)$", re.IGNORECASE)
_MARKUP = re.compile(r"<[a-z/!][^>]{0,80}>|\b\d+ ?= ?\d+\b", re.IGNORECASE)
_ANSWERS = frozenset({Act.CHOOSE, Act.YES, Act.NO, Act.ANY, Act.UNCLEAR})
"""What markup and code are not, whatever words they have in them."""
_PEOPLE = frozenset({"me", "us", "him", "her"})
"""Of whom "me too" is: nothing is done to them, but something for them."""
MORE, _MORE = "more", 2
"""What options are called that the heads find less likely than another, and the most of these."""
_LOG = logging.getLogger(__name__)


class HybridReader:
    """Reads as rules do and as heads do, which say how likely either is; where neither is likely enough to be right and
    `model` is wanted, SmolLM2 reads too, and weighs what the others read. The likeliest counts, its chance is the
    confidence; what is not likely enough is `Act.UNCLEAR`. What was said before is left out where all is surer without.
    What is to be done in one case and in the other is read way by way where it is not sure (`conditionals`); what is
    granted in front of an order is left out of it (`concessions`).

    `quick` reads rules first, without weighing: for talks between agents. Where torch or the encoder is not there,
    which is logged once, all is read as that does.
    """

    def __init__(self, model: bool = False) -> None:
        self.heads = _heads()
        self.quick = CascadeReader(self.heads)
        self._model = _model() if model and self.heads is not None else None

    def load(self) -> None:
        """Load the weights of the heads and the model, where these are there."""
        self.quick.load()
        if self._model is not None:
            self._model.load()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        text = reworded(spaced(text[: LONGEST + 1]))
        found = self._whole(text, recent)
        if found.confidence < ENOUGH:
            found = without_remark(found, text, recent, self._whole)
            found = with_branches(without_concession(found, text, recent, self._whole), text, recent, self._whole)
        if found.acts and {act.act for act in found.acts} <= _ANSWERS and _MARKUP.search(text):
            return found._replace(acts=(DialogueAct(Act.UNCLEAR),))
        return with_polarity(found, text)

    def _whole(self, text: str, recent: Sequence[str]) -> Reading:
        if self.heads is None or is_gibberish(text):
            return self.quick.read(text, recent)
        certain = self.quick.certain(text, recent)
        if certain is not None and (is_plain(certain.acts, text, recent) or is_done_too(certain.acts, text, recent)):
            return certain._replace(confidence=CERTAIN)
        words, options = len(text.split()), self.options(text, recent, certain)
        found = most_likely(options, words)
        if found.confidence < ENOUGH and recent and not recent[-1].endswith("?"):
            alone = most_likely(self.options(text, (), certain), words)
            found = alone if alone.confidence > _SURER * found.confidence else found
        if self._model is not None and found.confidence < _UNSURE:
            found = most_likely(weighed(options, self._model, text, recent), words)
        return found if is_sure(found) or not found.acts else unclear(found)

    def options(self, text: str, recent: Sequence[str], certain: Reading | None) -> list[Option]:
        """The ways in which an utterance may be read, each once, and how likely the heads write each: what was read for
        certain, if anything, and what heads read.
        """
        assert self.heads is not None, "asked before"
        options = [] if certain is None else with_option([], certain.by, certain.acts)
        heard = self.heads.heard(text, recent, [one.acts for one in options])
        options = [one._replace(written=likely) for one, likely in zip(options, heard.others, strict=True)]
        for name, meaning in zip(("heads", *[MORE] * _MORE), heard.meanings, strict=False):
            options = with_option(options, name, meaning.acts, meaning.likely)
        return options


def is_plain(acts: Sequence[DialogueAct], text: str, recent: Sequence[str]) -> bool:
    """Whether what rules read of an utterance needs no other opinion: one act in few words, of things that are known by
    name, that goes on from nothing said before and answers no question; or another language.
    """
    if len(acts) != 1 or (len(text.split()) > _SHORT and acts[0].act is not Act.OTHER_LANGUAGE):
        return False
    things = [slot.phrase for one in (*acts, *acts[0].of) for slot in one.slots]
    waiting = bool(recent) and recent[-1].endswith("?")
    return acts[0].act in _PLAIN and not waiting and all(map(is_known, things))


def is_done_too(acts: Sequence[DialogueAct], text: str, recent: Sequence[str]) -> bool:
    """Whether what rules read is a thing, and no more than that, to which the same is to be done as was just done to
    another: "the bar of soap too", "and the tall lamp as well, please".
    """
    things = [slot.phrase for act in acts for slot in act.slots]
    again = bool(things) and all(act.act is Act.REPEAT for act in acts) and _TOO.search(text) is not None
    lines = [*takewhile(lambda line: not line.startswith("person: "), reversed(recent))]
    done = any(line.startswith("did: ") for line in lines)
    return again and done and not recent[-1].endswith("?") and all(one.noun not in _PEOPLE for one in things)


def weighed(options: Sequence[Option], model: SmallModelReader, text: str, recent: Sequence[str]) -> list[Option]:
    """Options as a language model weighs them, with what it reads itself."""
    told = model.weighed(text, recent, [one.acts for one in options])
    found = [one._replace(likely=likely) for one, likely in zip(options, told.others, strict=True)]
    found = with_option(found, "model", told.reading.acts)
    return [one if one.likely is not None else one._replace(likely=told.own) for one in found]


def most_likely(options: Sequence[Option], words: int) -> Reading:
    """The option that is most likely right, with the others; nothing where there is none."""
    if not options:
        return Reading((), 0.0, "")
    found = [Reading(tuple(one.acts), chance(one, options, words), _parts(one)) for one in options]
    best, *others = sorted(found, key=lambda one: -one.confidence)
    return best._replace(others=tuple(one for one in others if one.confidence >= SURE))


def _parts(option: Option) -> str:
    return "+".join(sorted({NAMES.get(part, part) for part in option.by}))


NAMES = {MORE: "heads", "model": MODEL}
"""What records call the parts that read."""


def with_option(
    options: Sequence[Option], name: str, acts: Sequence[DialogueAct], written: float = FLOOR
) -> list[Option]:
    """Options with one more, or with one more part that reads one of them."""
    if not acts:
        return list(options)
    for at, one in enumerate(options):
        if same(one.acts, acts):
            both = max(one.written, written)  # "hello; get(mug)" may be far likelier than the same without "hello"
            return [*options[:at], one._replace(by=one.by | {name}, written=both), *options[at + 1 :]]
    return [*options, Option(acts, frozenset({name}), written)]


@cache
def _heads() -> HeadsReader | None:
    try:
        return HeadsReader()
    except (MissingExtraError, ModelMissingError) as error:
        _LOG.warning("requests are read by rules alone: %s", error)
        return None


@cache
def _model() -> SmallModelReader | None:
    try:
        return SmallModelReader()
    except (MissingExtraError, ModelMissingError) as error:
        _LOG.warning("requests are read without the language model: %s", error)
        return None

"""What is said to the Follower: read, taken for the talk or left to the agent's own way, and noted."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.actions import Role
from teach_agents.agents.dialogue.agreed_words import as_agreed, withheld
from teach_agents.agents.dialogue.answers_about_reasons import with_reason_asked
from teach_agents.agents.dialogue.called_out import WANTING, told_at_once, without_exclamation
from teach_agents.agents.dialogue.compound_nouns import places_as_said
from teach_agents.agents.dialogue.consent import with_consent
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule
from teach_agents.agents.dialogue.fragments import names_one_more
from teach_agents.agents.dialogue.jobs import without_job
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.prohibition_ends import ended
from teach_agents.agents.dialogue.purpose_rules import with_purpose_rules
from teach_agents.agents.dialogue.question_phrases import as_asked
from teach_agents.agents.dialogue.repair import another, in_one_breath, instead, makes_that, slip_in
from teach_agents.agents.dialogue.signals import as_signal, without_signal
from teach_agents.agents.dialogue.standpoints import WALKS, led_back
from teach_agents.agents.dialogue.stated_homes import is_only_told
from teach_agents.agents.dialogue.stated_prohibitions import with_stated
from teach_agents.agents.dialogue.told_descriptions import with_names
from teach_agents.agents.dialogue.told_whereabouts import with_whereabouts
from teach_agents.agents.dialogue.wide_permissions import with_freedom
from teach_agents.core.control import hurries
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading, Slot
from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Observation, Utterance
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.english.understanding import leaves_open, understand_instructions, understand_reports
from teach_agents.understanding.english.values import ReportKind, Verb
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.reader import LONGEST, Reader
from teach_agents.understanding.rules_reader import RulesReader

SILENT = frozenset({Act.PRAISE, Act.OK, Act.CHAT, Act.SORRY})
"""What an agent of the planner's kind says in passing, and expects no answer to."""
_MINE = frozenset({*Act} - {Act.ORDER, Act.FACT, Act.UNCLEAR, *SILENT})
"""What an agent's own way has no answer to."""
_WANTED = frozenset({Act.QUESTION, Act.HELLO, Act.BYE, Act.THANKS})
"""What is answered although it is small talk to the planner pair."""
_REPEATED = frozenset({Act.REPEAT, Act.UNDO, Act.RESUME, Act.ALLOW, *SILENT})
_LIKELY = 0.5
"""What is answered although it is, too, where it is likely to be meant so."""
_PROMPT = re.compile(r"(?<=[.!:]) [^.!?]+\?$")
"""A question that waits for an order and for no answer, at the end of what the Follower said: "What next?"."""
_ENDING = frozenset({Act.STOP, Act.WAIT, Act.CANCEL})
_HASTY = frozenset({Act.STOP, Act.NEVER, Act.UNCLEAR, Act.SLOWER, Act.COMPLAIN})
"""What "quit dawdling" may be taken for."""
_LEAVES_IT = re.compile(
    r"\b(?:forget (?:about )?(?:it|that|this)|leave it(?: (?:be|alone|at that|then|now))?(?=\W*$|[,.;!])|never ?mind"
    r"|drop it)\b"
)
"""Words for no more of something, however they were read."""
_NO_STOP = re.compile(
    r"\b(?:don'?t|do not|never|no need to|you needn'?t|mustn'?t|without|who said to"
    r"|did(?:n'?t| not) (?:say|tell you) to)"
    r" (?:you )?(?:(?:dare|ever|even|just|please|to) )*(?:quit|stopp?|halt|paus|abort|giv(?:e|ing) up"
    r"|break off|freez)"
    r"(?!\w* (?:at|by|near|in front)\b)"
)
"""What has one go on: "don't stop"."""
_NOT_THERE = re.compile(
    r"\b(?:don'?t|do not|stop|quit) (?:go|mov|walk|driv|com)(?:e|ing)? (?:(?:over|in) )?"
    r"(?:there|any ?where|any (?:further|farther|closer|nearer))\b"
)
"""What ends a walk, whose order it names."""
_INSTEAD = re.compile(r"\W*(?:(?:no|nah|actually|oh|wait|sorry|hang on|on second thoughts?)\W+)*instead\b(?! of\b)")
_MORE = re.compile(
    rf"\W*(?:(?:and|now|ok|okay|right|good|just|then|please)\W+)*(another|{'|'.join(NUMBERS[1:])})(?: more)?"
    r" (?:of (?:those|them|these|that|the same)|more|time|go)\b(?! (?:just )?(?:said|is|has|will|cancels?)\b)"
)
"""What is wanted once more: "one more of those"."""
_ANOTHER = re.compile(
    r"\bone more of (?:those|them|these|the same)\b"
    r"|\b(?:there(?:'s| is)|there (?:should|must) be|i (?:can )?see) (?:still )?(?:one more|another|a second)\b"
    r"|\b(?:do|and) (?:one more|another)\b(?! time)"
)
"""How it is said that there is one more of what something was done to."""
_BACK = re.compile(
    r"\W*(?:(?:and|now|ok|okay|right|good|just|then|please)\W+)*back"
    r"(?: again| where it was| as it was)?(?: now| please)?\W*"
)
"""What has the last deed taken back: "and now back"."""
_FORGET = re.compile(
    r"(?:(?:please|just|then|you can) )*(?:forget(?: about)?|never ?mind(?: about)?|skip|scrap"
    r"|(?:do not|don't) bother (?:with|about)|leave out) (?P<what>.+)"
)
_NEEDS = re.compile(
    r"\b(?:(?<!i )(?<!we )(?<!you )(?:needs?|wants?)|has to be|have to be|must be|could do with|is due|are due)\b"
    r"|\b(?:is|are|'s) (?:dirty|filthy)"
)
_MYSELF = re.compile(
    r"\b(?:i|we)(?:'ll| will|'m going to| am going to|'m gonna|'d better)(?: [a-z]+)? "
    r"(?:do|see to|deal with|take care of|handle|tackle|sort|get (?:round )?to|clean|wash|scrub|fix|tidy) "
    r"(?:it|that|this|them)\b|\b(?:i|we)(?:'ll| will) .*\bmyself\b"
)
"""What is to be done, and that the speaker will do it."""
_REPAIRS = frozenset({Act.INSTEAD, Act.INSTEAD_DO, Act.NOT, Act.WRONG, Act.UNDO, Act.SAY_AGAIN})
"""What corrects, or takes back, what was understood."""


class Heard(NamedTuple):
    """An utterance with its reading; `said` is how it was said where that was otherwise, in words agreed on."""

    text: str
    reading: Reading
    said: str = ""

    @property
    def acts(self) -> Sequence[DialogueAct]:
        """What it does, in order."""
        return self.reading.acts


def to_be_answered(acts: Sequence[DialogueAct], text: str = "") -> list[DialogueAct]:
    """The acts of an utterance that call for something of who is at rest: "Hang on, why is it open?" for an answer."""
    asked = any(act.act is Act.QUESTION for act in acts)  # "did I lock it? I forget"
    idle = {*SILENT, *([Act.DONT_KNOW] if asked else []), *([Act.YES] if {act.act for act in acts} & WANTING else [])}
    found = [act for act in acts if act.act not in idle]
    found = without_exclamation(found or list(acts[:1]), text)
    asks = found[0].act is Act.WAIT and any(act.act is Act.QUESTION for act in found)
    return found[1:] if asks else found


class Listener:
    """Hears one session's talk.

    `waiting` are utterances for the talk, `noticed` those that the agent's own way attends to, or attended to before;
    `thought` tells how what was heard in this turn was read. `own` tells whether an utterance is an order that the
    agent's own way carries out; `agent_order` is the latest of these that it has not answered. A `person` who praises
    is answered, an agent is not.
    """

    def __init__(
        self, state: DialogueState, reader: Reader, own: Callable[[str], bool], *, resumed: bool, person: bool = False
    ) -> None:
        self.waiting: deque[Heard] = deque()
        self.noticed: deque[Heard] = deque()
        self.thought: JsonObject | None = None
        self.agent_order: Heard | None = None
        self.agent_busy = False
        self._state = state
        self._reader = reader
        self._rules = RulesReader()
        self._own = own
        self._answered = frozenset({Act.PRAISE, Act.OK}) if person else frozenset()
        self._past = resumed
        self._taken = {*state.taken}
        self._seen = state.heard
        self.waiting.extend(Heard(text, reader.read(text, state.recent)) for text in state.waiting)

    def hear(self, observation: Observation) -> Observation:
        """Take in what was said since; what is left of the dialogue for the agent's own way."""
        news = observation.dialogue[self._seen :]
        self.thought = None
        if self._past and observation.dialogue:
            self._past = False
            self._recall(news)
        else:
            for number, said in enumerate(news, self._seen):
                if said.speaker is Role.FOLLOWER:
                    self._state.note(f"robot: {said.text}")
                    self._state.last_said = said.text
                elif self._take(self._read(said.text, number)):
                    self._taken.add(number)
        self._seen = len(observation.dialogue)
        if not self._taken:
            return observation
        left = tuple(one for number, one in enumerate(observation.dialogue) if number not in self._taken)
        return replace(observation, dialogue=left)

    def write(self) -> None:
        """Put down in the state what was heard, and what of it is not attended to yet."""
        self._state.heard, self._state.taken = self._seen, sorted(self._taken)
        self._state.waiting = [heard.text for heard in self.waiting]

    def agent_withheld(self) -> Rule | None:
        """The rule that has words said with every order which the one that the agent's own way is at has not."""
        order = self.agent_order
        return withheld(order.said or order.text, self._state.rules) if order is not None else None

    def leave_off(self) -> list[tuple[DialogueAct, str]]:
        """The orders, with their words, that the agent's own way is at; they are done no more."""
        heard, was_busy = self.agent_order, self.agent_busy
        self.agent_busy, self.agent_order = False, None
        return [(act, heard.text) for act in heard.acts if act.act is Act.ORDER] if heard and was_busy else []

    def _recall(self, past: Sequence[Utterance]) -> None:
        """A talk that was begun before: it is remembered, and not answered again."""
        for number, said in enumerate(past):
            if said.speaker is Role.FOLLOWER:
                self._state.note(f"robot: {said.text}")
            else:
                self.noticed.append(self._read(said.text, number))

    def _read(self, text: str, number: int) -> Heard:
        """An utterance, by its number in the session's dialogue; how it was read is told.

        Of what is too long to be read, no more is taken in than tells that it is.
        """
        text = text[: LONGEST + 1]
        recent = self._state.recent
        if self._state.question is None:
            recent = [line for one in recent if (line := _PROMPT.sub("", one)) != "robot:"]
        reader = self._rules if self._own(text) else self._reader  # which is quick, and need not be sure
        meant = with_names(as_agreed(text, self._state.facts, self._state.rules), self._state.facts, recent)
        read = as_signal(text, reader.read(without_signal(meant), recent), self._state)
        read = with_reason_asked(with_freedom(read, meant), meant)
        heard = Heard(text, read) if meant == text else Heard(meant, read, text)
        self._state.note(f"person: {text}")
        told: JsonObject = {
            "utterance": number,
            "acts": write_meaning(read.acts),
            "confidence": round(read.confidence, 3),
            "by": read.by,
        }
        self.thought = self.thought or {"heard": []}
        self.thought["heard"].append(told)
        if any(act.act in _REPAIRS for act in read.acts):
            self.thought["repairs"] = True
        return heard

    def _take(self, heard: Heard) -> bool:
        """Whether an utterance is for the talk; what is not is noticed nevertheless."""
        kinds = {act.act for act in heard.acts}
        is_told = kinds == {Act.FACT} and not self.agent_busy and not self._looks_for_something
        if (
            self._state.question is None
            and not kinds & (_MINE | self._answered)
            and not is_told
            and self._own(heard.text)
        ):
            self.noticed.append(heard)
            self.agent_order = heard
            return False
        sure = kinds <= _REPEATED and heard.reading.confidence >= _LIKELY
        guessed = (
            "rules" not in heard.reading.by
            and not kinds & (_WANTED | self._answered)
            and not sure
            and not leaves_open(heard.text)
        )
        guessed = guessed and not names_one_more(heard.text) and (self._state.question is None or kinds != {Act.CANCEL})
        if (
            (kinds <= SILENT - self._answered or guessed)
            and _is_small_talk(heard.text)
            and not ended(heard.text, self._state.rules)
        ):
            return False
        self.waiting.append(heard)
        return True

    @property
    def _looks_for_something(self) -> bool:
        """Whether the agent's own way has just asked where something is."""
        return any(report.kind is ReportKind.NOT_FOUND for report in understand_reports(self._state.last_said))


def is_own(utterance: str) -> bool:
    """Whether an utterance is controlled English, all of it: steps and hints, or what is said in passing."""
    return bool(understand_instructions(utterance)) and not leaves_open(utterance)


def corrected(acts: Sequence[DialogueAct], text: str = "") -> list[DialogueAct]:
    """Acts of an utterance that answers no question: "no" and something else is a correction, and a thing that is named
    behind an order is one more to do it with. What is meant tells of itself that the other was not; "stop" is no word
    for going on."""
    found: list[DialogueAct] = []
    acts = told_at_once(acts, text)
    acts = led_back(_with_slip_mended(_without_mere_rejection(_for_each(with_whereabouts(acts, text))), text), text)
    acts = _left_to_speaker(without_job(_worded(acts, text.lower().replace("\u2019", "'")), text), text)
    acts = with_purpose_rules(with_consent(with_stated(acts, text), text), text)
    for act in (as_asked(places_as_said(one, text), text) for one in acts):
        before = found[-1] if found else None
        if act.act is Act.RESUME and any(one.act is Act.STOP for one in found):
            continue
        act = _called_off(_once_more(act, text.lower().replace("\u2019", "'")), text.lower().strip(" .!"))
        if act.act is Act.ORDER and act.about != "make" and makes_that(act.slots, text):
            act = DialogueAct(Act.INSTEAD, slots=act.slots[:1])
        if before is not None and before.act is Act.NO and act.act in (Act.CHOOSE, Act.UNCLEAR) and act.slots:
            found[-1] = act._replace(act=Act.INSTEAD)
        elif before is not None and before.act is Act.NO and act.act is Act.ORDER:
            found[-1] = DialogueAct(Act.INSTEAD_DO, of=(act,))
        elif before is not None and before.act in (Act.NOT, Act.WRONG) and act.act in (Act.INSTEAD, Act.INSTEAD_DO):
            found[-1] = act
        elif before is not None and before.act is Act.ORDER and act.act is Act.CHOOSE and act.slots:
            found.append(instead(before, act.slots[0].phrase))
        else:
            found.append(act)
    return in_one_breath(found)


def _for_each(acts: Iterable[DialogueAct]) -> list[DialogueAct]:
    """ "Nobody opens the fridge or the microwave": what is named beside what is forbidden of one thing is so, too."""
    found: list[DialogueAct] = []
    for act in acts:
        beside = [slot for slot in act.slots if not slot.role and kinds_of(slot.phrase.noun)]
        if act.act not in (Act.NEVER, Act.NOT_UNTIL) or len(act.of) != 1 or not beside:
            found.append(act)
            continue
        (order,) = act.of
        things = [*order.slots[:1], *beside]
        left = tuple(slot for slot in act.slots if slot not in beside)
        found += [act._replace(of=(order._replace(slots=(one, *order.slots[1:])),), slots=left) for one in things]
    return found


def _once_more(act: DialogueAct, words: str) -> DialogueAct:
    """ "Two more of those", "another one", "there's one more of them, same deal" want the same of another thing."""
    if act == DialogueAct(Act.UNCLEAR) and (more := _MORE.match(words)):
        number = NUMBERS.index(more[1]) if more[1] in NUMBERS else 1
        return DialogueAct(Act.REPEAT, slots=(Slot("", Phrase("those", str(number))),))
    if act.act is Act.UNCLEAR and act.slots and another(act.slots[0].phrase):
        return act._replace(act=Act.REPEAT)
    if act == DialogueAct(Act.REPEAT) and _BACK.fullmatch(words):
        return DialogueAct(Act.UNDO)
    if act in (DialogueAct(Act.REPEAT), DialogueAct(Act.UNCLEAR)) and _ANOTHER.search(words):
        return DialogueAct(Act.REPEAT, slots=(Slot("", Phrase("one", "another")),))
    return act


def _worded(acts: Sequence[DialogueAct], words: str) -> Sequence[DialogueAct]:
    """ "Don't stop" has one go on, "quit dawdling" be quick; what "instead" comes before is done in place of what is
    under way."""
    if _LEAVES_IT.search(words):
        acts = [DialogueAct(Act.CANCEL) if act.act is Act.RESUME else act for act in acts]
    if _NO_STOP.search(words):
        return [DialogueAct(Act.RESUME) if act.act in _ENDING and not act.of else act for act in acts]
    if _NOT_THERE.search(words):
        return [DialogueAct(Act.STOP) if any(one.about in WALKS for one in (act, *act.of)) else act for act in acts]
    if hurries(words):
        return [DialogueAct(Act.FASTER) if act.act in _HASTY else act for act in acts]
    if acts and acts[0].act is Act.ORDER and _INSTEAD.match(words):
        return [DialogueAct(Act.INSTEAD_DO, of=(acts[0],)), *acts[1:]]
    return acts


def _left_to_speaker(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """ "The bathtub needs a scrub. I'll do it after lunch" is no order, nor is "here keys go on the shelf"."""
    plain = text.lower().replace("\u2019", "'")
    if not (_NEEDS.search(plain) and _MYSELF.search(plain)) and not is_only_told(acts, text):
        return acts
    left = [act for act in acts if act.act is not Act.ORDER]
    return acts if len(left) == len(acts) else [DialogueAct(Act.FACT, text.strip()), *left]


def _called_off(act: DialogueAct, text: str) -> DialogueAct:
    """ "Forget about the card" is no deed."""
    said = text if act.act is Act.NOT else ""  # "skip the potato"
    said = act.slots[0].phrase.noun if act.act is Act.ORDER and act.about == "do" and act.slots else said
    left = _FORGET.fullmatch(said)
    named = noun_phrase(left["what"]) if left is not None else None
    return act if named is None else DialogueAct(Act.CANCEL, slots=(Slot("", named),))


def _with_slip_mended(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """ "I said apple, and it's the egg I meant" is the order before with an egg, however it was read."""
    corrections = [act for act in acts if act.act in (Act.INSTEAD, Act.INSTEAD_DO)]
    vague = all(act.act is Act.INSTEAD and all(map(_only_points, act.slots)) for act in corrections)
    meant = slip_in(text, corrects=bool(corrections)) if vague else None
    if meant is None or any(act.condition is not None for act in acts):
        return acts
    mended = DialogueAct(Act.INSTEAD, slots=(Slot("", meant),))
    return [mended, *(act for act in acts if act.act in (Act.QUESTION, Act.STOP))]


def _only_points(slot: Slot) -> bool:
    """Whether a slot names nothing: "this one"."""
    return not slot.role and slot.phrase.noun in PRONOUNS and slot.phrase.place is None


def _without_mere_rejection(acts: Sequence[DialogueAct]) -> Sequence[DialogueAct]:
    """ "Not this one. Put it back and get the other one": what is to be done instead is said in full."""
    first, *more = acts or (None,)
    if first is None or first.act is not Act.NOT or any(not _only_points(slot) for slot in first.slots):
        return acts
    spoken = [slot.phrase for act in more if act.act is Act.ORDER for slot in act.slots]
    another = any(one.count in ("other", "another") or "other" in (one.noun, *one.looks) for one in spoken)
    return more if another or any(act.about == "put_back" for act in more) else acts


def _is_small_talk(text: str) -> bool:
    """Whether the planner's English knows an utterance as said in passing, which has no more in it than is read."""
    said = understand_instructions(text) if len(text) <= LONGEST else ()
    return bool(said) and all(step.verb in (Verb.ASIDE, Verb.FINISH, Verb.GIVE_UP) for step in said)

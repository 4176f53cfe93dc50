"""Prohibitions that end by themselves: "not until the paint is dry", once somebody says that it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from teach_agents.agents.dialogue.clock_times import ClockTime, is_past, time_in, time_now
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.facts import words_in
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.understanding.plain_text import plain_text

_UNTIL = re.compile(
    r"\b(?:un)?till?\b(?P<until>[^.!?;,]*)|\bbefore\b(?P<before>[^.!?;,]*)|\bunless\b(?P<unless>[^.!?;,]*)"
    r"|\bonly\b[^.!?;,]*?\b(?:after|from|once|when|as soon as)\b(?P<after>[^.!?;,]*)"
)
_NOT_YET = re.compile(
    r"\b(?:not|no|never|still|yet|almost|nearly|soon|if|when|until|till|before|will|[a-z]+n't|don't|isn't"
    r"|(?:is|are|was|has|have|had|do|does|did|can|could|would)nt)\b|n't\b|\?"
)
_FORBIDS = re.compile(
    r"\b(?:not|no|never|nothing|nobody|stop|avoid|off|leave|keep|stay|without|forbidden|only)\b|n't\b"
)
_FREED = re.compile(
    r"(?:n't|\bnot|\bno longer) (?:off[- ]limits|forbidden|taboo|out of bounds|banned|prohibited|a no-go)\b"
    r"|\b(?:no need|you need not|you don't (?:have|need)) to (?:avoid|leave|stay|keep)\b"
)
_RULES = r"(?:rules?|bans?|prohibitions?|restrictions?|instructions?|orders?)"
_WITHDRAWN = re.compile(
    r"(?<!n't )(?<!not )(?<!never )\b(?:forget|scrap|drop|ignore|disregard|lift|cancel|scratch|skip|end|undo|withdraw"
    rf"|revoke|forgetting|dropping|lifting)(?: about)?(?: (?:the|that|this|my|our|all|those|[a-z]+'s?))*(?: [a-z]+)?? "
    rf"(?:{_RULES}|what i (?:just )?(?:said|told you))(?P<of>[^.!?;,]*)"
    rf"|\b{_RULES}\b(?P<about>[^.!?;,]*?)(?:'s| is| are| has been| have been)"
    r"(?: (?:now|all|officially|hereby|no longer))* (?:lifted|over|off|cancelled|gone|history|no more|withdrawn"
    r"|finished|suspended|dropped|ended|void|in force|valid)\b"
    rf"|\b{_RULES}\b(?P<on>[^.!?;,]*?) (?:no longer|does not|doesn't|do not|don't)"
    r" (?:appl(?:y|ies)|holds?|counts?|stands?|matter)\b"
)
"""What does away with a rule: "forget the rule about the lamp", "the ban on the wine is lifted"."""
_FINE = re.compile(
    r"(?:^|[,.;!] ?|\b(?:so|and|but|that|ok|okay) )(?P<x>(?:the |my |our |your )?[a-z]+(?: [a-z]+)?)"
    r"(?:'s|'re| is| are|(?<! i)s(?= (?:ok|fine)))(?: (?:all|perfectly|totally|quite|actually))*"
    r" (?:fine|ok|okay|safe|good|alright|right|usable|free|allowed|back on|back to normal|working|available|permitted)"
    r"(?P<to> to [a-z]+| for you)?(?P<again>(?: (?:again|now|any ?more))*)"
)
"""That something may be used again: "the fridge is fine now", "it's safe to use again"."""
_ASKS_OF = re.compile(
    r"\b(?:how long|(?:un)?till? when|when|who)\b[^.!]*\b(?:may|can|could|allowed|permitted|off[- ]limits|forbidden"
    r"|banned|must not|mustn't)\b[^.!]*\?"
    r"|\b(?:should|must|has to|have to|supposed to|meant to)\b[^.!]*\b(?:stay|remain|be left|be kept)\b[^.!]*\?"
)
"""What asks for the end, the reason or the scope of a rule."""
_OF_IT = re.compile(
    r"^\W*(?:(?:ok|okay|oh|hey|so|right|good news|and|now|well|look)\W+)*(?:he|she|it|they)"
    r"(?:'s|'re|s|'ve| is| are| has| have)?(?: [a-z]+){1,4}\W*$"
)
"""A report that names nothing: "it's dry now", "she woke up"."""
_CLAUSES = re.compile(r"[.!;,\n]+(?=\s*\w)|\bso\b|\band (?=now|please|then|you)|\bplease\b")
_IS_SO = re.compile(r"\b(?:is|are|has|have|am|woke|left|went|fixed|finished)\b|(?:'s|'ve|'re|'m)\b")
_FLOWS = frozenset({"water", "tap", "taps", "faucet", "sink", "basin", "plumbing", "pipes"})
_SAME: Mapping[str, str] = {
    **dict.fromkeys("finished done over complete completed ready through".split(), "finished"),
    **dict.fromkeys("mended repaired fixed".split(), "fixed"),
    **dict.fromkeys("arrived here come".split(), "arrived"),
    **dict.fromkeys("left gone away".split(), "gone"),
}
"""Words for the same end."""
_ENDS: Mapping[str, re.Pattern[str]] = {
    word: re.compile(reason)
    for words, reason in (
        ("dry dried set", r"\b(?:wet|damp|paint\w*|mop\w*|wash\w*|varnish\w*|glue\w*|clean\w*|soak\w*)\b"),
        ("cool cold cooled", r"\b(?:hot|boiling|warm|heat\w*|steam\w*)\b"),
        (
            "fixed safe working secure tight",
            r"\b(?:broke\w*|safe|unsafe|electrician|plumber|leak\w*|loose|stuck|fault\w*|drip\w*|spark\w*|repair\w*|mend\w*"
            r"|smell\w*|danger\w*|wobbl\w*|block\w*|clog\w*)\b",
        ),
        ("unblocked unclogged clear", r"\b(?:block\w*|clog\w*|stuck)\b"),
        (
            "finished",
            r"\b(?:busy|middle|(?!(?:any|no|some|every)?thing|evening|morning|during|bring|ring|king)[a-z]{2,}ing)\b",
        ),
        ("awake up woke woken", r"\b(?:asleep|sleep\w*|nap\w*|bed)\b"),
        ("gone home", r"\b(?:guests?|visitors?|kids?|child\w*|baby|here|around|company)\b"),
    )
    for word in words.split()
}
"""By a word for an end, the reasons that are over by it."""


def ended(text: str, rules: Sequence[Rule]) -> list[Rule]:
    """The rules that what somebody reports puts an end to."""
    if _FREED.search(text.lower().replace("\u2019", "'")):
        known = [rule for rule in rules if rule.said != text]
        return [rule for rule in known if _content(text.lower()) & _content(rule.said.lower())] or known[-1:]
    if (withdrawn := _WITHDRAWN.search(plain_text(text))) is not None:
        return _withdrawn(withdrawn, [rule for rule in rules if rule.said != text])
    if fine := _fine(text, rules):
        return fine
    told = [one for one in re.split(r"[.!;\n]+", text.lower().replace("\u2019", "'")) if one.strip()]
    reports = [one for one in told if _NOT_YET.search(one) is None]
    over = [rule for rule in rules if rule.said != text and any(_ends(one, rule.said) for one in reports)]
    if not over and rules:  # "she's awake now"
        pointing = [part for one in reports for part in one.split(",") if _OF_IT.match(part)]
        due = [one for one in rules if one.said != text and any(_is_over(report, one.said) for report in pointing)]
        over = [rule for rule in due if rule.said == due[-1].said]
    named = {kind for one in reports for name in mentions_in(one) for kind in kinds_of(name)}
    about = [rule for rule in over if named & _kinds(rule)]
    return [rule for rule in over if rule in about or all(one.said != rule.said for one in about)]


def ended_ahead(text: str, rules: Sequence[Rule]) -> list[Rule]:
    """The rules that an utterance reports to be over before it asks for something: "the baby is up. Lamp on"."""
    *ahead, _ = _CLAUSES.split(text.lower().replace("\u2019", "'"))
    reports = [one for one in ahead if (_IS_SO.search(one) and not _FORBIDS.search(one)) or _WITHDRAWN.search(one)]
    return ended(". ".join(reports), rules) if reports and rules else []


def _withdrawn(found: re.Match[str], known: Sequence[Rule]) -> list[Rule]:
    """The rules that words do away with: those that have most of what they name, else what was said last."""
    named = _content(found["of"] or found["about"] or found["on"] or "")
    shared = [len((named or _content(found.string)) & _content(rule.said.lower())) for rule in known]
    most = max(shared, default=0)
    if not most:
        return [rule for rule in known if not named and rule.said == known[-1].said]
    return [rule for rule, number in zip(known, shared, strict=True) if number == most]


def asked_of(text: str, rules: Sequence[Rule]) -> str:
    """The rule, as it was said, whose end, reason or scope is asked for: "how long is the sofa off limits?"."""
    plain = plain_text(text)
    named = {kind for name in mentions_in(plain) for kind in kinds_of(name)}
    if not named or _ASKS_OF.search(plain) is None:
        return ""
    about = [rule for rule in rules if named & {*_kinds(rule), *_named_in(rule.said)}]
    return about[-1].said if about else ""


def _named_in(said: str) -> set[str]:
    return {kind for name in mentions_in(plain_text(said)) for kind in kinds_of(name)}


def _fine(text: str, rules: Sequence[Rule]) -> list[Rule]:
    """The rules about what is said to be fine again."""
    plain = plain_text(text)
    for found in _FINE.finditer(plain):
        if (not found["to"] and not found["again"]) or _NOT_YET.search(plain):
            continue
        known = [rule for rule in rules if rule.said != text]
        words = {*found["x"].split()}
        if words <= _POINTING and (found["to"] or "again" in found["again"]):
            return known[-1:]
        names = [*mentions_in(found["x"]), found["x"].split()[-1]]
        kinds = {kind for name in names for kind in kinds_of(name)}
        water = {"Faucet"} if words & _FLOWS else set()
        return [rule for rule in known if (kinds | water) & _kinds(rule) or words_in(found["x"]) & words_in(rule.said)]
    return []


def _kinds(rule: Rule) -> set[str]:
    """The kinds of things that a rule names."""
    return {kind for noun in (*rule.nouns, *rule.places) for kind in kinds_of(noun)}


def forbids(text: str) -> bool:
    """Whether words forbid anything at all."""
    plain = text.lower().replace("\u2019", "'")
    return _FORBIDS.search(plain) is not None and _FREED.search(plain) is None


def _ends(report: str, said: str) -> bool:
    words, rule = _content(report), said.lower().replace("\u2019", "'")
    shared, now = words & _content(rule), time_now(report)
    for found in _UNTIL.finditer(rule):
        until = found["until"] or found["before"] or found["unless"] or found["after"] or ""
        awaited, due = _content(until), _due(until)
        if due is not None and now is not None and is_past(now, due):
            return True
        if due is not None and now is not None:
            continue
        missing = awaited - words
        if awaited and not missing and (len(awaited) > 1 or shared - awaited or not words - awaited - _LITTLE):
            return True
        if awaited & _THERE & words and missing <= _MOTION and _IS_THERE.search(report):
            return True
        if len(awaited) > 1 and len(missing) == 1 and shared - awaited:
            return True
        if _predicate(until) & words and words & awaited - _predicate(until):  # "until my maths homework is done"
            return True
    return bool(shared - _content(" ".join(_is_over(report, said)))) and bool(_is_over(report, said))


def _is_over(report: str, said: str) -> list[str]:
    """The words of a report by which the reason for what was said is over."""
    rule = said.lower().replace("\u2019", "'")
    plain = [_SAME.get(word, word) for word in re.findall(r"[a-z]+", report)]
    return [word for word in plain if word in _ENDS and _ENDS[word].search(rule)]


def _due(until: str) -> ClockTime | None:
    """The time until which something is forbidden; "until six" needs no o'clock."""
    words = until.strip()
    alone = time_now(f"it is {words}")
    return time_in(words) or alone


def _predicate(until: str) -> frozenset[str]:
    """What is to be so of something: behind "is", "has been"."""
    _, verb, rest = re.sub(r"\b(?:is|are|has|have)(?: been| got)?\b", "|", until).rpartition("|")
    return _content(rest) if verb else frozenset()


def _content(text: str) -> frozenset[str]:
    """The words that mean something, those for one end alike."""
    return words_in(" ".join(_SAME.get(word, word) for word in re.findall(r"[a-z']+", text)))


_POINTING = frozenset({"it", "that", "this", "they", "these", "those", "everything", "all"})
_MOTION = words_in("go goes come comes get gets am be")
_IS_THERE = re.compile(r"\b(?:(?:to|in|at|into) (?:the |my )?(?:bed|work|bath|school)|home|back|asleep)\b")
_THERE = words_in("bed home back work bath school asleep")
"""Where somebody goes: "until I go to bed" is over with "I'm off to bed"."""
_LITTLE = words_in("finished served started begun had has feel look check checked just now finally good okay well all")
"""What a report may have besides."""

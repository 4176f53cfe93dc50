"""What is to be asked about before it is done: "always ask me before you open the drawer"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.dialogue_state import Asked, Rule
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.prohibitions import told_not_to
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.order_rules import order_in
from teach_agents.understanding.plain_text import plain_text

_ASK = (
    r"(?:ask(?: (?:for )?(?:me|us|my permission|permission))?|check with (?:me|us)|consult (?:me|us)"
    r"|get my (?:ok|okay|permission|go-ahead)|run it (?:by|past) (?:me|us))"
)
_TELL = r"(?:tell (?:me|us)|warn (?:me|us)|let (?:me|us) know)"
_ASKING = (
    r"(?:ask(?:ing|ed)?|check(?:ing|ed)? with|consult(?:ing|ed)?|tell(?:ing)?|told|warn(?:ing)?)(?: (?:me|us))?"
    r"|(?:my|our|the) (?:permission|ok|okay|say-so|say so|consent|approval|go-ahead)|permission"
)
_UNLESS = (
    rf"(?:without (?:first |even )?(?:{_ASKING})|(?:unless|until|till|before) (?:you(?:'ve"
    rf"| have)? (?:first )?(?:{_ASKING})|asking)"
    r"|unless (?:i|we) (?:say (?:so|yes|you (?:can|may)|it's ok)|(?:said|agree|allow|permit|ok)\b)"
    r"|(?:if|when|once|after) (?:i|we) (?:say so|say yes|say you (?:can|may)|agree|allow it|ok it)"
    rf"|with (?:my|our) (?:permission|ok|okay|consent|approval)|(?:after|by) (?:{_ASKING}))"
)
_BEFORE = re.compile(
    rf"\b(?<!don't )(?<!not )(?:{_ASK}(?:,? (?:first|always|every time))*,? "
    rf"(?:before|whenever|when|if|(?:any|each|every) ?time|prior to)|{_TELL}(?: first)? before) "
    r"(?:you(?:'re)?(?: (?:want|need|have|wish|'d like) to| are going to| going to| go and| ever| even)*|ever)? ?"
    r"(?P<rest>[a-z]+ [^.!?;]+)"
)
_AHEAD = re.compile(
    r"\b(?:before|whenever|when|if|(?:any|each|every) ?time) (?:you(?: (?:want|need|have|wish)"
    r" to| are going to| ever)* )?"
    rf"(?P<rest>[a-z]+ [^.!?;,]+?),? (?:please |always |just |you (?:have to|must|should|need to) )*{_ASK}"
    r"(?: first| beforehand)?(?=\W*$|[.!;])"
)
_TO = re.compile(
    r"\byou (?:have to|must|need to|should|are to) (?:always )?(?:ask|check with) (?:(?:me|us) )?(?:first )?"
    r"(?:if you (?:want|need) to|to) (?P<rest>[a-z]+ [^.!?;]+)"
)
_WITHOUT = re.compile(
    rf"\b(?:don't|do not|never|you (?:must not|mustn't|may not|can't|cannot|are not to)|no"
    rf"|nobody|no one)(?: ever| just)* "
    rf"(?P<rest>[a-z]+ [^.!?;,]+?),? {_UNLESS}\b"
)
_ONLY = re.compile(
    rf"\b(?:only (?:ever )?|you (?:can|may|should|are allowed to) only "
    rf"|you're only allowed to )(?P<rest>[a-z]+ [^.!?;,]+?),? "
    rf"{_UNLESS}\b"
)
_FORMS = (_BEFORE, _AHEAD, _TO, _WITHOUT, _ONLY)
_NO_MORE = re.compile(
    rf"\b(?:don't (?:have|need) to|do not (?:have|need) to|needn't|no need to|no longer (?:have"
    rf"|need) to|stop|don't|quit)"
    rf" (?:always )?{_ASK.replace('ask', 'ask(?:ing)?', 1)}(?: first)?"
    r"(?=\W*$|,? (?:any ?more|before|each|every|about|from|for|again(?! in)|all the|whenever|if you|when you|now)\b)"
)
"""That nothing needs to be asked about any more."""
_FOR_GOOD = re.compile(
    r"\b(?:always|from now on|any ?more|no longer|without asking|no need|needn't|whenever|any ?time|every time)\b"
)
_ONCE = re.compile(
    r"\b(?:(?:just|only) (?:this|for) (?:now|time|once)|this once|for once|once only|(?:just|only) once"
    r"|(?:just |only )?(?:this one|this|one) time(?: only)?|as an exception|exceptionally)\b"
)
"""What allows something for one order, and no longer."""
_ENDS = re.compile(r" (?:first|please|ok|okay|alright|right|again|at all|will you|would you|thanks?|thank you)\W*$")
_GERUND = re.compile(r"^(?P<stem>[a-z]{2,}?)(?P<twin>([bdgmnprt])(?=\3ing\b))?(?:[bdgmnprt]?)ing\b")
_SEEN = frozenset({"do", "find", "look_at", "show", "call"})
"""What changes nothing."""
_ASKED = frozenset({"me", "us", "permission"})
_MISREAD = frozenset({Act.ALLOW, Act.NEVER, Act.NOT_UNTIL, Act.UNCLEAR, Act.OK, Act.YES})


def asks_first(said: str) -> bool:
    """Whether words have something asked about before it is done, whenever that is."""
    plain = _plain(said)
    return _NO_MORE.search(plain) is None and any(form.search(plain) for form in _FORMS)


def with_consent(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts with what is not to be done unasked as forbidden, however that was read; "no need to ask me" allows it."""
    plain = _plain(text)
    if (over := _NO_MORE.search(plain)) and not any(act.act is Act.ORDER and not _is_asking(act) for act in acts):
        rest = re.compile(r"(?:before|when(?:ever)?|if|to) (?:you )?(?P<rest>[a-z]+ [^.!?;,]+)").search(
            plain, over.end()
        )
        named = [*_orders(rest["rest"])] if rest is not None else []
        return [
            DialogueAct(Act.ALLOW, of=tuple(named) or (DialogueAct(Act.ORDER, "touch", (Slot("", Phrase("it")),)),))
        ]
    orders = [one for form in _FORMS for found in form.finditer(plain) for one in _orders(found["rest"])]
    if not orders:
        return [*acts]
    verbs = {order.about for order in orders}
    kept = [act for act in acts if act.act not in _MISREAD and not _is_asking(act) and act.about not in verbs]
    told = (DialogueAct(Act.NEVER, of=(one,)) for one in dict.fromkeys(orders))
    return [*(act for act in kept if act.act is not Act.FACT or act.slots), *told]


def to_be_asked(order: DialogueAct, refused: str, rules: Sequence[Rule]) -> Asked | None:
    """What is asked where an order was not done for a rule that has it asked about first; `None` where none has."""
    rule = next((one for one in rules if asks_first(one.said) and one.said.strip(" .!") in refused), None)
    if rule is None:
        return None
    deed = f"{act_words(_deed(rule))}" if rule.nouns and rule.verb != "touch" else "do that"
    plain = order._replace(slots=tuple(slot._replace(phrase=_plainly(slot.phrase)) for slot in order.slots))
    return Asked("permit", write_meaning([plain]), said=f"{told_not_to(rule.said)} May I {deed}?")


def permit(order: DialogueAct, said: str) -> str:
    """What is asked where an order itself is what words forbid, or have asked about first."""
    return f"{told_not_to(said)} {f'May I {act_words(order)}' if asks_first(said) else 'Shall I do it all the same'}?"


def consented(rules: Sequence[Rule], asked: Asked | None) -> list[Rule]:
    """The rules that what was asked about, and allowed, would break."""
    return [
        rule for rule in rules if asked is not None and asks_first(rule.said) and told_not_to(rule.said) in asked.said
    ]


def for_once(acts: Sequence[DialogueAct], text: str, asked: Asked) -> list[DialogueAct]:
    """What an answer allows beyond the order that waited for it: what is to be asked about is allowed for once."""
    plain = _plain(text)
    lasting = _ONCE.search(plain) is None and (not asks_first(asked.said) or _FOR_GOOD.search(plain) is not None)
    return [act for act in acts if lasting and act.act is Act.ALLOW]


def _plainly(phrase: Phrase) -> Phrase:
    """A description that can be written down: "the watch in the drawer", not "in the drawer with the watch in it"."""
    return (
        phrase
        if phrase.place is None
        else replace(phrase, place=(phrase.place[0], replace(phrase.place[1], holds=None)))
    )


def _deed(rule: Rule) -> DialogueAct:
    return DialogueAct(Act.ORDER, rule.verb, tuple(Slot("", Phrase(noun)) for noun in rule.nouns[:1]))


def _orders(words: str) -> Iterator[DialogueAct]:
    """The orders of "opening the drawer, or touch the safe"."""
    verb = ""
    for part in re.split(r",? or |, ", _ENDS.sub("", words)):
        bare = re.sub(r"^([a-z]+?)(?<!s)s\b", r"\1", _GERUND.sub(_stem, part.strip()))
        named = order_in(bare, barred=True) or order_in(f"{verb} {bare}", barred=True) or ()
        verb = verb or bare.partition(" ")[0]
        yield from (act for act in named if act.act is Act.ORDER and act.about not in _SEEN)


def _stem(found: re.Match[str]) -> str:
    """ "Open" of "opening", "put" of "putting", "use" of "using"."""
    word = found[0].removesuffix("ing")
    if len(word) > 2 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        return word[:-1]
    return (
        word if order_in(f"{word} the drawer", barred=True) or order_in(f"{word} the cup", barred=True) else f"{word}e"
    )


def _is_asking(act: DialogueAct) -> bool:
    """Whether an act is no more than the words that have something asked about."""
    noun = act.slots[0].phrase.noun if act.act is Act.ORDER and act.slots else ""
    return noun in _ASKED or (act.act is Act.ORDER and act.about in _SEEN)


def _plain(text: str) -> str:
    return re.sub(r"\b(don|mustn|needn|can)t\b", r"\1't", plain_text(text))

"""What sentences state of things, in the words in which they were said: "the cup is mine, the mug is Harry's"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.told_states import is_owner, owner_called, tidied
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.spelling import is_english
from teach_agents.understanding.tokens import sentences

_POINTING = frozenset("it they this that these those he she".split())
_NO_NAMES = frozenset(
    "what which who where here there everything something anything nothing breakfast lunch dinner tea coffee".split()
)
_LONGEST = 6
"""Words of a description, and of a state."""
_BREAKS = re.compile(
    r"[.!?;:,\n]+|\s+(?:and|but|while|whereas|though|although|because|since"
    r"|so(?= (?:keep|do not|never|please|leave|hands|you|i|we|no)\b))\s+"
    r"|\s+(?=(?:it|they|he|she) (?:is|are) (?:called|named)\b)"
)
_SHORT = re.compile(
    r"\b(it(?=s (?:called|named|known)\b)"
    r"|(?:it|that|this|there|here|what|he|she|mine|hers|his|yours|ours|theirs|one)(?='))'?s\b"
)
_NAME_IS = re.compile(r"\bits (?:nick)?name(?: is|'s)\b")
_NOT = re.compile(r"\b(is|are|was|were|do|does|has|have)n'?t\b")
_OF_SHORT = re.compile(r"^(?P<x>(?:(?:the|that|this|my|our|your) )?[a-z ]+?)'s (?P<rest>.+)$")
_VERB = re.compile(
    r"\b(?:is|are|was|were|used to be|belongs?|calls?|has|have|got|went|goes?|lies|lives?"
    r"|fell)\b"
)
_OF_BOTH = frozenset({"are", "belong", "live", "go"})
_OWNS = re.compile(r"^(?P<who>(?:(?:my|our|the) )?[a-z]+) (?:owns?|is the owner of) (?P<x>.+)$")
_BELONGS = re.compile(r"^(?P<x>.+?) (?:belongs?|belonged) to (?P<who>[a-z' ]+)$")
_CALLED = (
    re.compile(
        r"\b(?:calls?|called|named?|refer to|nicknamed) "
        r"(?P<x>(?:the|our|my|that|this|her|his|their|your|its|[a-z]+'s) [a-z ]+?),?(?: as)? "
        r"(?P<name>(?:the|a|an|our|my) [a-z' ]+|'?[a-z]+'?|[a-z]+'s [a-z]+"
        r"|(?:sir|lady|lord|mr|mrs|miss|ms|dr|doctor|captain|king|queen|prince|princess|uncle|aunt"
        r"|auntie|old|little|big)"
        r" [a-z]+)$"
    ),
    re.compile(
        r"^(?P<x>.+?) (?:is|are|gets?|goes) (?:also )?"
        r"(?:called|known as|nicknamed|named|by the name of|by) (?P<name>.+)$"
    ),
    re.compile(r"^(?P<name>.+?) is (?:what|how) (?:we|i|they) call (?P<x>.+)$"),
    re.compile(r"^(?P<x>.+?)'s (?:nick)?name is (?P<name>.+)$"),
    re.compile(r"^the (?:nick)?name of (?P<x>.+?) is (?P<name>.+)$"),
    re.compile(r"^(?P<name>[a-z' ]+?) (?:means|stands for|refers to) (?P<x>(?:the|my|our|her|his|their) .+)$"),
    re.compile(
        r"^(?:to|for) (?:me|us|him|her) (?P<x>.+?) is (?:simply |just |always |only |still |really |and stays )*"
        r"(?P<name>(?:the|a|an|our|my) (?!best|nicest|one\b|only|most|same|worst)[a-z' ]+)$"
    ),
    re.compile(r"^by (?P<name>.+?) (?:i|we) (?:always )?mean (?P<x>.+)$"),
)
_MEANING = re.compile(
    r"\b(?:when(?:ever)?|if|every time) (?:i|we) (?:say|talk about|mention|speak of|ask for|call for|refer to) "
    r"(?P<name>[a-z' ]+?)(?:,[a-z' ]+)?,? (?:(?:i|we) (?:always |just |really )?mean|(?:that|it) (?:is|means))"
    r"(?: by that)? (?P<x>[a-z' ]+)"
)
"""What a word stands for, told with commas or without."""
_OURS_IS = re.compile(
    r"^(?P<name>[a-z]+) is (?:what we call |just |actually )?"
    r"(?P<x>(?:the|my|our|her|his|their) (?:[a-z']+ ){0,3}[a-z]+)$"
)
"""Somebody, or something, of a name of its own: "Bertie is my little girl's teddy"."""
_MY_IS = re.compile(
    r"^(?P<name>(?:my|our|your|his|her|(?:my )?[a-z]+'s) (?:[a-z]+ )?(?P<last>[a-z]+)"
    r"|the (?:[a-z]+ )?(?:spot|place|corner|nook|station|centre|center|office|zone|area|seat|throne|hq|headquarters|bar"
    r"|base|den|nest|shrine|bank|museum)) (?:is|will be|shall be|means|=) "
    r"(?:always |from now on |just |simply |really )*(?P<x>(?:the|that|this|an?|one of the) [a-z ]+)$"
)
"""What is nothing by itself and is said to be a thing: "my reading spot is the sofa"."""
_IS_MY = re.compile(
    r"^(?P<x>(?:the|that|this) [a-z ]+?) is (?:from now on |now |always )*(?P<name>(?:the|my|our|your) [a-z]+ "
    r"(?:spot|place|corner|nook|station|centre|center|office|zone|area|seat|throne|hq|headquarters|bar|base|den))$"
)
_NO_DEFINED = frozenset(
    """favourite favorite problem trouble question wish choice plan idea turn job task concern worry answer point pick
    preference request issue spot place seat corner area zone chair reason dream name fault hobby rule want""".split()
)
_WHOSE = re.compile(
    r"^(?:no )?(?:that|this|it) is (?:actually )?(?P<who>my|our|his|her|their|(?:my )?[a-z]+'s) (?P<x>[a-z ]+)$"
)
_IDLE = re.compile(
    r"^(?P<x>.+?) (?:(?:does|do|will) not work|no longer works?"
    r"|(?:is |has |have |just )*(?:stopped working|packed (?:up|in)|conked out|broken? down|given up|gave up|died"
    r"|had it))\b"
)
_ASKED = re.compile(
    r"^(?:please |so |then |now )*(?:can|could|would|will|do|did|does|is|are|was|were|if|when|where|who|how|why|put|"
    r"bring|get|take)\b"
)
"""What states nothing: questions, orders, conditions."""
_THERE = re.compile(r"^there (?:is|are) (?:also |still |just )*(?P<x>.+)$")
_LYING = re.compile(
    r"^(?:what|whatever) is (?:lying |sitting |standing |still )*(?P<where>(?:in|on|under|by|near) .+?)"
    r" is (?P<state>.+)$"
)
_IS = re.compile(
    r"^(?P<x>.+?) (?:is|are|was|were|used to be|has got|have got|got|has gone|went|has been|have been|looks|smells"
    r"|tastes|feels|has|fell|lies|hangs|stands|sits) (?P<state>.+)$"
)
_SUPPOSED = re.compile(r" (?:when(?:ever)?|if|while|unless|until|till|before|once|every time|as long as) ")
"""What states nothing of what is behind it: "he hates when the TV is on"."""
_ONE = re.compile(r"^the (?:[a-z]+ )*ones?\b.*$")
_OURS = re.compile(r"^(?P<who>my|our|his|her|their|your|(?:my )?[a-z]+'s) (?!.*'s)")
_ELSE = re.compile(
    r" (?:in (?:this|our) (?:house|family|home)|(?:a?round )?here|at home|by the way|at the moment|at present|right now"
    r"|just now|for now|for the moment|these days|nowadays|as well|too|now|(?:un)?till? [a-z ]+"
    r"|at night|overnight|(?:every|each) (?:night|evening|day|morning)|in the (?:evening|morning)s?"
    r"|before (?:bed|bedtime|i go to bed)|when i (?:get|come|am) (?:home|in|back))$"
)
_OPENING = re.compile(r"^(?:so|well|oh|ok|okay|ugh|right|anyway|actually|remember|mind you|you know) (?=[a-z])")
_HOME = re.compile(
    r"^(?P<x>.+?) (?:(?:always|usually|normally|really|only) )*"
    r"(?:belongs?|lives?|ends? up|gets? put|(?:is|are) put|go(?:es)?|has (?:its|his|her) (?:place|home|spot)"
    r"|have their (?:place|home|spot)"
    r"|(?:should|must|has to|have to|ought to) always (?:be(?: kept| put)?|go|live|stay)"
    r"|(?:is|are) (?:always )?(?:kept|stored|meant to be))"
    r"(?: (?:always|usually|normally|really|only))* (?P<where>(?:in(?:to)?|on(?:to)?|inside|by|next to|under) .+)$"
)
_HOME_TOO = re.compile(
    r"^(?:the )?(?P<x>[a-z]+(?: [a-z]+){0,2}?) (?P<where>(?:in(?:to)?|on(?:to)?) (?:the|our|my|a) .+)$"
)
"""What goes on behind where something belongs: "and clean ones onto the counter"."""
IN_THIS_HOUSE = (
    r"(?:(?:in|at) (?:this|our|my) (?:house|home|place|flat|family|household|kitchen|apartment)|at ours|at home"
    r"|(?:a?round )?here|with us|(?:as a |(?:a |one |our )?house )?rules?(?: is)?(?: that)?)"
)
_LEADING = re.compile(rf"^{IN_THIS_HOUSE},? (?=[a-z])")
_KEPT = re.compile(
    r"^(?:in this house |at home |here )?(?:we|i|you) (?:always |usually |normally )?(?:keep|store|put) (?P<x>.+?) "
    r"(?:always )?(?P<where>(?:in|on|inside|by|next to|under) .+)$"
)
_PLACE_OF = re.compile(
    r"^the (?:right |proper |usual )?(?:place|home|spot) (?:for|of) (?P<x>.+?) is (?:always )?"
    r"(?P<where>(?:in|on|inside|by|next to|under) .+)$"
)
_CARRIED_OFF = re.compile(
    r"^(?:i|we|he|she|(?:(?:my|our) )?[a-z]+) (?:'ve |'s |have |has )?(?:just |already |now |actually )*"
    r"(?:taken|took|put|left|moved|brought|carried) (?P<x>.+?) (?:back |up |down |over |out )?"
    r"(?:to|into|in|at) (?P<where>(?:the|my|our|his|her) (?!shop|cleaners|repair)[a-z]+(?: [a-z]+)?)$"
)
"""Where somebody took something, out of the room."""
AT_HOME = "at home"
"""What is said of things where they belong."""
_FROM = re.compile(
    r"^(?P<x>.+?) (?:(?:i|we) (?:(?:have |only )?borrowed|got|have|inherited)(?: on loan)?|(?:is|was|came|comes)"
    r"(?: on loan| borrowed| a (?:present|gift))?) from (?P<who>[a-z' ]+)$"
)
_BORROWED = re.compile(r"^(?:i|we) (?:borrowed|inherited) (?P<x>.+?) from (?P<who>[a-z' ]+)$")
_MENDED = re.compile(
    r"^(?!.*\b(?:not|never|will|to)\b)(?:.+ )?(?:fixed|mended|repaired|unblocked"
    r"|cleared(?= (?:the|our|my) (?:[a-z]+ )?(?:toilet|loo|sink|basin|bath|bathtub|tub|shower|drain)\b)) "
    r"(?P<x>(?:the|our|my) .+)$"
)
_LISTED = re.compile(
    r"\b(?P<x>(?:[a-z]+ ){0,3}[a-z]+): "
    r"(?:(?:that one|it|they|this one) )?(?:(?:is|was|are|were|used to be) )?"
    r"(?P<who>(?:[a-z]+ ){0,2}(?:[a-z]+'s|[a-z]+s'|mine|yours|his|hers|ours|theirs))(?=[.,;!]| as well\b| too\b|$)"
)
"""A list of whose things are."""
_GONE = re.compile(r"\b(?:has|have) gone\b")
_PLACE = re.compile(
    r"^(?:still |out |over |up |down |away |off |lying |sitting |standing |always |now )*"
    r"(?P<relation>inside|into|in|onto|on|underneath|under|behind|next to|near|by|at|below|above) (?P<mark>.+)$"
)
_RELATION = {
    "inside": "in",
    "into": "in",
    "onto": "on",
    "under": "below",
    "underneath": "below",
    "by": "near",
    "next to": "near",
    "at": "near",
}


class Statement(NamedTuple):
    """What is stated of a thing: "gone off", "mine", "called the throne"; "" where it is only said where it is.

    The noun of `thing` is "one" where it is that of another sentence.
    """

    thing: Phrase
    state: str


def statements_in(text: str) -> list[Statement]:
    """What an utterance states of things that households have, or of "one" and "mine", as it was written or as it was
    most likely meant to be."""
    written = _statements_in(text)
    if written and all(is_english(word) for one in written for look in _looks(one.thing) for word in look.split("_")):
        return written
    mended = _statements_in(". ".join(one.text for one in sentences(fitting(text)[0])))
    return mended if len(mended) >= len(written) else written


def _looks(thing: Phrase) -> Iterator[str]:
    """What a description says that its things, and their place, are like, but for whose they are."""
    yield from (look for look in thing.looks if "'" not in look)
    if thing.place is not None:
        yield from _looks(thing.place[1])


def _statements_in(text: str) -> list[Statement]:
    found: list[Statement] = []
    last: Phrase | None = None
    plain = _SHORT.sub(r"\1 is", fitting(text)[0].lower().replace("\u2019", "'").replace('"', ""))
    for meaning in _MEANING.finditer(plain):
        thing = named_in(meaning["x"])
        kinds = kinds_of(plain_name(meaning["name"]))  # "table" may be the coffee table from now on
        if thing is not None and (not kinds or {*kinds} & {*kinds_of(thing.noun)}):
            found.append(Statement(thing, f"called {plain_name(meaning['name'])}"))
    for clause in _clauses(text):
        too = _HOME_TOO.match(clause) if found and found[-1].state == AT_HOME else None
        stated = _stated(clause if too is None else f"{too['x']} goes {too['where']}", last)
        if stated is not None:
            found.append(stated)
        named = stated.thing if stated is not None else named_in(_ASKED.sub("", clause))
        last = named if named is not None else last
    return found


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a text; "the mug and the cup are mine" is two with the same end."""
    before = ""
    plain = _NOT.sub(r"\1 not", fitting(text)[0].lower().replace("\u2019", "'").replace('"', ""))
    plain = _LISTED.sub(lambda one: one[0] if named_in(one["x"]) is None else f"{one['x']} is {one['who']}", plain)
    for part in _BREAKS.split(_NAME_IS.sub("it is called", _SHORT.sub(r"\1 is", plain))):
        clause = " ".join(part.split())
        short = _OF_SHORT.match(clause)
        if short is not None and _VERB.search(clause) is None and named_in(short["x"]) is not None:
            clause = f"{short['x']} is {short['rest']}"
        verb = _VERB.search(clause)
        if verb is not None and verb[0] in _OF_BOTH and before and named_in(before) is not None:
            yield f"{before} {clause[verb.start() :]}"
        before = clause if verb is None else ""
        yield clause


def _stated(clause: str, last: Phrase | None) -> Statement | None:
    clause = _ELSE.sub("", _LEADING.sub("", _OPENING.sub("", clause)))
    if _ASKED.match(clause):
        return None
    if (called := _called(clause, last)) is not None:
        return called
    if whose := _WHOSE.match(clause):
        thing = named_in(whose["x"])
        return None if thing is None else Statement(thing, owner_called(whose["who"]))
    if plain := _by_verb(clause, last):
        return plain[0]
    if lying := _LYING.match(clause):
        return _of(f"the one {lying['where']}", tidied(lying["state"]), last)
    said = _IS.match(clause)
    if said is None or _SUPPOSED.search(said["x"]) or said["state"] == "a name":
        return None
    if said["x"].split()[0] in ("there", "what", "whatever"):
        return None
    if said["x"] in _POINTING and last is None and is_owner(tidied(said["state"])):
        return Statement(Phrase("it"), tidied(said["state"]))  # of what was spoken of before
    gone = _GONE.search(clause)
    return _of(said["x"], said["state"] if gone is None else f"gone {clause[gone.end() :].strip()}", last)


def _by_verb(clause: str, last: Phrase | None) -> tuple[Statement | None, ...]:
    """What clauses with verbs of their own state, one or nothing: what broke or was mended, belongs, was borrowed."""
    for pattern in (_HOME, _KEPT, _PLACE_OF):
        if (home := pattern.match(clause)) is not None:
            placed = _of(home["x"], home["where"], last)
            if placed is not None and placed.thing.noun == "one" and last is not None:
                placed = placed._replace(thing=replace(placed.thing, noun=last.noun))
            return (placed if placed is None or placed.thing.place is None else placed._replace(state=AT_HOME),)
    if (taken := _CARRIED_OFF.match(clause.replace("'ve", " 've"))) is not None:
        away = named_in(taken["where"]) is None
        return (_of(taken["x"], f"in {taken['where']}", last) if away else None,)
    for state, pattern in (("broken", _IDLE), ("working", _MENDED)):
        if (changed := pattern.match(clause)) is not None:
            return (_of(changed["x"], state, last),)
    if owned := _FROM.match(clause) or _BORROWED.match(clause) or _BELONGS.match(clause) or _OWNS.match(clause):
        return (_of(owned["x"], owner_called(owned["who"]), last),)
    if there := _THERE.match(clause):
        thing = _thing(there["x"], last)
        return (Statement(thing, "") if thing is not None and (thing.looks or thing.place) else None,)
    return ()


def _called(clause: str, last: Phrase | None) -> Statement | None:
    """What a clause says that a thing is called."""
    for pattern in _CALLED:
        called = pattern.search(clause)
        thing = _thing(called["x"], last) if called is not None else None
        if called is not None and thing is not None:
            return Statement(thing, f"called {plain_name(called['name'])}")
    defined = _MY_IS.match(clause) or _IS_MY.match(clause)
    last_word = defined.groupdict().get("last") if defined is not None else None
    if (
        defined is not None
        and (last_word not in _NO_DEFINED or " " in plain_name(defined["name"]))
        and not kinds_of(last_word or "")
    ):
        place = _bearer(plain_name(defined["name"]), defined["x"])
        return Statement(place, f"called {plain_name(defined['name'])}") if place is not None else None
    named = _OURS_IS.match(clause)
    bearer = _bearer(named["name"], named["x"]) if named is not None else None
    return Statement(bearer, f"called {named['name']}") if named is not None and bearer is not None else None


def _bearer(name: str, words: str) -> Phrase | None:
    """The thing that bears a name which is no thing's own, where words are its description and nothing else."""
    if name in _POINTING | PRONOUNS | _NO_NAMES or kinds_of(name) or is_owner(name):
        return None
    found = noun_phrase(words)
    if found is None or not kinds_of(found.noun) or (found.place is not None and not kinds_of(found.place[1].noun)):
        return None
    return found


def _owner_of(words: str) -> str:
    """Whose a thing is by the words before its name: "mine" of "my phone"; "" where none are."""
    found = _OURS.match(words)
    return "" if found is None else owner_called(found["who"])


def _of(words: str, state: str, last: Phrase | None) -> Statement | None:
    """A thing with what is said of it, or with where it is."""
    thing = _thing(words, last)
    if thing is None:
        return None
    if where := _PLACE.match(state):
        mark = noun_phrase(where["mark"])
        if mark is None or mark == Phrase("one") or thing.place is not None:  # "the phone is at 90"
            return None
        placed = replace(thing, place=(_RELATION.get(where["relation"], where["relation"]), mark))
        if is_owner(thing.noun):
            return Statement(replace(placed, noun="one"), thing.noun)
        return Statement(placed, _owner_of(words))
    if (one := _ONE.match(state)) is not None:
        return _of_ones(thing, noun_phrase(one[0]), words)
    if is_owner(thing.noun):
        bed = named_in(state)
        return None if bed is None else Statement(bed, thing.noun)
    state = tidied(state)
    fits = state and len(state.split()) <= _LONGEST
    return Statement(thing, state) if fits else None


def _of_ones(thing: Phrase, mark: Phrase | None, words: str) -> Statement | None:
    """ "Mine is the blue one", "my mug is the one on the left", "the knife on the left is the sharp one"."""
    if mark is None or mark.noun != "one" or not (mark.looks or mark.place):
        return None
    if is_owner(thing.noun):
        return Statement(mark, thing.noun)
    owner = _owner_of(words)
    if owner:
        return Statement(replace(mark, noun=thing.noun), owner)
    return Statement(thing, " ".join(mark.looks)) if mark.looks else None


def _thing(words: str, last: Phrase | None) -> Phrase | None:
    """What the words before a verb are about: of "had a look at that bread on the table" the bread."""
    words = " ".join(word for word in words.split() if word not in ("still", "only", "just", "also", "really"))
    if words in _POINTING:
        return last
    owner = owner_called(words) if words.endswith(("'s", "s'")) or is_owner(words) else ""
    if owner and named_in(words) is None:
        return Phrase(owner)
    return named_in(words, ones=True)


def named_in(words: str, *, ones: bool = False) -> Phrase | None:
    """The first description in words that is of something households have; of "the one on the shelf" with `ones`."""
    said = words.split()
    for start in range(len(said)):
        for end in range(min(len(said), start + 2 * _LONGEST), start, -1):
            found = noun_phrase(" ".join(said[start:end]))
            if found is None or found.noun in ANYTHING:
                continue
            one = found.noun == "one" and (found.looks or found.place or said[start] in ("the", "that", "this"))
            if (found.noun not in PRONOUNS and kinds_of(found.noun)) or (ones and one):
                return found
    return None


def plain_name(words: str) -> str:
    """A name without its article and quotation marks."""
    return re.sub(r"^(?:the|a|an|our|my|your|his|her|their) ", "", words.replace('"', "").strip(" '.!"))

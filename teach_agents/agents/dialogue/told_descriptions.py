"""Descriptions by what was told, as the names that they stand for: "what Grandpa drinks from" is the mug, "Leo's thing"
the ball, "the apple or the tomato, whichever I like better" the apple."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.dialogue_state import MY_NAME, Told
from teach_agents.agents.dialogue.facts import words_in
from teach_agents.agents.dialogue.liked_things import better_liked
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.statements import named_in, statements_in
from teach_agents.agents.dialogue.told_habits import USUALLY, WHO, person_called, stem_of
from teach_agents.agents.dialogue.told_names import names_told
from teach_agents.agents.dialogue.told_states import MINE, PRESENT, is_owner, owner_called
from teach_agents.understanding.plain_text import plain_text

_BY = r"(?:from|out of|off|with|on|in|at|under|by|beside|next to|to)"
_DOES = r"(?!(?:is|are|was|were|has|have|had|does|do|did|can|will|would|should|must|could|may|might)\b)(?P<verb>[a-z]+)"
_USUALLY = rf"(?:{USUALLY}(?:only|just|really|still|also) )?{USUALLY}"
_WHAT = r"(?:whatever|what|whichever(?: one)?|(?:the |that )(?:things?|ones?|stuff|objects?)(?: (?:that|which))?)"
_TAIL = r"(?: (?:always|usually|normally|every (?:day|morning|evening|night)|most|the most|all the time))*"
_PERSON = r"(?P<who>(?:(?:my|our|the|his|her) )?(?!(?:is|are|was|the|my|our|to|in|on|of|you)\b)[a-z]+)"
_DESCRIBED = re.compile(
    rf"\b{_WHAT} {_PERSON} {_USUALLY}{_DOES}"
    rf"(?:(?: (?:my|our|his|her|their))?(?: (?!{_BY}\b|and\b|or\b|is\b)[a-z]+)?? (?P<by>{_BY})\b)?{_TAIL}",
    re.IGNORECASE,
)
"""What somebody does something with: "what Grandpa drinks from", "the one she always uses"."""
_HABIT = re.compile(
    rf"\b{WHO} {_USUALLY}{_DOES}(?: (?!(?:{_BY}|the|his|her|my|our|their)\b)[a-z]+){{0,3}}?(?: (?P<by>{_BY}))?"
    r" (?P<what>(?:the|his|her|my|our|their|that|this) .+)"
)
_IS_WHAT = re.compile(rf"(?P<what>(?:the|his|her|my|our|their) .+?) is (?P<described>{_WHAT} .+)")
_NO_ORDER = re.compile(
    r"\b(?:know|tell|remember|guess|say|said|ask|asked|told|forget|forgot|sure|wonder|recall|is|was|are|were|'s|means?"
    r"|learn|note|mind)(?: (?:me|you|us|again|about|of))*\W*$",
    re.IGNORECASE,
)
"""What stands before a description that is asked for, or told."""
_TELLS = re.compile(
    r"\s*(?:\W*$|(?:is|was|are|'s|will be|means)(?: (?:always|usually|called|just|only|actually|still))* "
    r"(?:the|my|our|his|her|their|a|an|that|this|called|in|on|by|under)\b)",
    re.IGNORECASE,
)
"""What stands behind a description that is no more than asked for, or is told what it stands for."""
_ANY_USE = frozenset(words_in("use uses take takes have has need needs want wants"))
_HANDLES = frozenset({"from", "out of", "off", "with"})
_OWNED = re.compile(
    r"\b(?P<who>(?:my |our |the )?(?!it's\b|that's\b|there's\b|what's\b|here's\b|let's\b|he's\b|she's\b|who's\b)"
    r"(?:[a-z]+'s|[a-z]+s')|his|her|their|my|our)(?: (?:own|little|old|new|silly|bloody))* "
    rf"(?P<what>things|thing|stuff|one|ones|bits|bits and pieces|belongings|possessions|property|item|items|object"
    rf"|objects|{PRESENT}s?)\b(?! (?:is|are|was|were)\b)",
    re.IGNORECASE,
)
"""Things by no more than whose they are: "Leo's thing", "her stuff", "Mia's birthday present"."""
_MANY = re.compile(r"things|stuff|ones|bits|belongings|possessions|items|objects|.*[a-z]s", re.IGNORECASE)
_OWNED_BY = re.compile(
    r"(?P<before>\b[a-z]+\W+)(?:whatever|what|(?:the|that|those) (?P<what>things?|ones?|stuff|objects?|items?))"
    rf"(?: that| which)? (?:{_PERSON} owns?\b|belongs? to (?P<whom>(?:my |our )?[a-z]+))(?! (?:is|are|was)\b)",
    re.IGNORECASE,
)
"""Things by who owns them: "the thing Ella owns", "what belongs to Leo"."""
_PRESENT_FOR = re.compile(
    rf"\b(?:the|that) (?P<what>{PRESENT}s?) (?:that is |that's |meant )*for (?P<who>(?:my |our )?[a-z]+)"
    r"(?=\W*$|[.!?;,]| (?:and|so|please|to|from|in|on)\b)",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(?:what|which|who)(?:'s| is| was| are| were)? $", re.IGNORECASE)
"""What asks which thing that is."""
_OTHERS = frozenset({"his", "hers", "theirs"})
_HE = frozenset({"he", "she", "they"})
_CLAUSES = re.compile(r"[.!?;,\n]+| and | but | so | because ")
_LIKES = (
    r"(?:like|love|prefer|adore|enjoy|fancy|favou?r|hate|dislike|(?:can't|cannot|do not|don't|dont|does not|doesn't) "
    r"[a-z]+|would rather(?: have)?|'d rather(?: have)?|am fond of|'m fond of|is fond of"
    r"|(?:can|could|may|(?:am|'m|is|'s|are) (?:allowed|able|free) to) (?:safely )?"
    r"(?:eat|drink|have|take|use|tolerate|digest)"
    r"|(?:am|'m|is|'s|are) ?(?:not |n't )?(?:allergic|intolerant) (?:to|against|of))s?"
    r"(?: (?:eating|drinking|having))?(?: (?:it|them))?(?: (?:better|best|more|most|the (?:most|best|least)|least))?"
)
_PICKED = re.compile(
    r"(?:either )?(?P<a>(?:(?:the|my|our|an?|some) )?[a-z]+(?: [a-z]+)?) or (?P<b>(?:(?:the|my|our|an?|some) )?[a-z]+"
    r"(?: [a-z]+)??)(?P<more> (?:in|on|to|into|onto|for|over)\b[^.!?;,]{0,40}?)?"
    r"[ ,:;.-]+(?:(?:you know|depending on|just|only) )*"
    r"(?:which(?:ever)?|what(?:ever)?|the one|that)(?: one)?(?: of (?:them|those|these"
    r"|the two))?(?: (?:that|which|it is))?"
    rf" (?P<who>(?:my |our )?[a-z]+?)(?: (?:really|actually|usually|do|does|happen to|said"
    rf"|told you))* ?(?P<like>{_LIKES})"
    r"(?=\W*$|[.!?;,]| (?:please|pls|thanks|thank you)\b)",
    re.IGNORECASE,
)
"""Which of two, by who likes it: "the apple or the tomato, whichever I like better"."""
_WHICHEVER_OF = re.compile(
    r"which(?:ever)?(?: one)? of (?P<a>(?:the|my|our) [a-z]+(?: [a-z]+)?) (?:and|or) (?P<b>(?:the|my|our) [a-z]+"
    rf"(?: [a-z]+)??)(?P<more>) (?P<who>(?:my |our )?[a-z]+?) ?(?P<like>{_LIKES})(?=\W*$|[.!?;,])",
    re.IGNORECASE,
)

_SPOT = r"(?:(?!is\b)[a-z]+ )?(?:place|spot|corner|post|station|base|home|seat|perch|parking space)"
_SPOT_IS = re.compile(
    rf"\b(?P<name>your {_SPOT}|home|base) (?:is|will be|shall be|would be) (?:(?:always|now|right|just|over|here) )*"
    r"(?:(?:by|near|next to|beside|at|in front of|close to|on|in|under) )?(?P<what>(?:the|that|this|my|our) [a-z ]+)"
)
"""Where the Follower has a place of its own: "your place is over by the bin"."""
_TO_SPOT = re.compile(
    rf"(?P<to>\b(?:to|at|in|into|by|off|go|return|head|back|get|come) )(?P<name>your {_SPOT}|home|base)\b"
    r"(?! (?:is|was)\b)",
    re.IGNORECASE,
)


_LIKED_OF = re.compile(
    r"(?:something|anything|what(?:ever)?|whichever(?: one)?|the one)(?: (?:that|which))? (?P<who>(?:my |our )?[a-z]+?)"
    rf" ?(?P<like>{_LIKES})[ ,:;.-]+(?:either |of )?(?P<a>(?:the|my|our|an?|some) [a-z]+(?: [a-z]+)?) or "
    r"(?P<b>(?:the|my|our|an?|some) [a-z]+(?: [a-z]+)??)(?P<more>)(?=\W*$|[.!?;,])",
    re.IGNORECASE,
)
""" "Something she can eat: the tomato or the apple"."""
_MY = re.compile(r"\bmy (?:own )?(?P<x>[a-z]+(?: [a-z]+)?)\b|\b(?P<mine>mine)\b", re.IGNORECASE)
_FINE_FOR = re.compile(
    r"\b(?P<which>which(?:ever)?(?: one)?|what(?:ever)?|the one|something)(?: that)?(?:'s| is) (?P<no>not |no )?"
    r"(?:ok|okay|fine|safe|good|alright|all right|allowed|harmless|problem)"
    r" (?:for|with) (?P<who>(?:my |our )?[a-z]+)\b",
    re.IGNORECASE,
)
""" "Whichever is safe for me": which one can eat."""


class _Habit(NamedTuple):
    """Who does what with a thing, by which preposition, and its name: "drinks", "from", "the mug"."""

    who: str
    verb: str
    by: str
    name: str


def with_names(text: str, facts: Sequence[Told], recent: Sequence[str] = ()) -> str:
    """An utterance with names for what it describes by what was told before, or by what its own sentences tell.

    `recent` are the last lines of the talk, for "his thing".
    """
    straight = text.replace("\u2019", "'")
    known = [*(fact.said for fact in facts), *_sentences_before(straight)]
    found = _DESCRIBED.sub(lambda one: _of_habit(one, known), _of_speaker(straight, facts))
    found = _FINE_FOR.sub(_as_eaten, found) if facts else found
    for choice in (_PICKED, _WHICHEVER_OF, _LIKED_OF):
        found = choice.sub(lambda one: _of_choice(one, known), found)
    found = _OWNED_BY.sub(_by_owner, found)
    found = _PRESENT_FOR.sub(lambda one: f"{one['who']}'s {one['what']}", found)
    found = _OWNED.sub(lambda one: _of_owner(one, facts, recent), found)
    found = _TO_SPOT.sub(lambda one: _of_spot(one, known), found)
    return text if found == straight else found


def _of_speaker(text: str, facts: Sequence[Told]) -> str:
    """ "My toy" as "Leo's basketball" where it is Leo who speaks, and his name is what was told of whose that is."""
    names = [one.state for one in (*facts, *names_told(text, 0)) if one.noun == MY_NAME]
    whose = owner_called(names[-1]) if names else ""
    owned = [fact.noun for fact in facts if whose and fact.state == whose and kinds_of(fact.noun)]

    def named(found: re.Match[str]) -> str:
        kinds = {*kinds_of((found["x"] or "").lower().replace(" ", "_")), *kinds_of((found["x"] or "").split(" ")[0])}
        nouns = [noun for noun in owned if found["mine"] or kinds & {*kinds_of(noun)}]
        if len({*nouns}) != 1:
            return found[0]
        behind = (found["x"] or "").partition(" ")[2] if not kinds_of((found["x"] or "").replace(" ", "_")) else ""
        return f"{names[-1]}'s {nouns[0].replace('_', ' ')}{' ' if behind else ''}{behind}"

    return _MY.sub(named, text) if owned else text


def _as_eaten(found: re.Match[str]) -> str:
    who = "i" if found["who"].lower() == "me" else found["who"]
    return f"{found['which']} {who} {'cannot' if found['no'] and 'problem' not in found[0] else 'can'} eat"


def tells_own_place(text: str) -> bool:
    """Whether an utterance tells where the Follower has a place of its own: "your spot's by the sofa"."""
    return any(named_in(told["what"]) is not None for told in _SPOT_IS.finditer(_in_full(text)))


def _in_full(text: str) -> str:
    return re.sub(r"(?<=[a-z])'s (?=by|near|next|beside|at|in|on|over|the)", " is ", plain_text(text))


def _of_spot(found: re.Match[str], known: Sequence[str]) -> str:
    """ "To your place", and "home", as the thing that this was said to be by."""
    name = plain_text(found["name"])
    for said in reversed(known):
        for told in (one for clause in _CLAUSES.split(_in_full(said)) for one in _SPOT_IS.finditer(clause)):
            thing = named_in(told["what"])
            if thing is not None and told["name"].removeprefix("your ") == name.removeprefix("your "):
                to = found["to"] if name.startswith("your") or found["to"].lower() == "to " else f"{found['to']}to "
                return f"{to}the {' '.join((*thing.looks, thing.noun)).replace('_', ' ')}"
    return found[0]


def _sentences_before(text: str) -> list[str]:
    """What an utterance says before its last sentence."""
    return [one for one in re.split(r"(?<=[.!?;\n])\s+", text)[:-1] if "?" not in one]


def _of_habit(found: re.Match[str], known: Sequence[str]) -> str:
    before, behind = found.string[: found.start()], found.string[found.end() :]
    asked = before.strip().lower() in ("", "is", "are", "was", "and is", "so is")
    if (not asked and _NO_ORDER.search(before)) or (_TELLS.match(behind) and (asked or behind.strip(" .!?"))):
        return found[0]
    habits = [habit for said in [*known, before] for habit in _habits(said)]
    who, verb = person_called(plain_text(found["who"])), stem_of(found["verb"].lower())
    for habit in reversed(habits):
        same = habit.who == who or (who in _HE and habit.who not in ("i", "we"))
        used = _ANY_USE & {verb, habit.verb} and (habit.verb in _ANY_USE or {habit.by, found["by"]} & _HANDLES)
        if same and (verb == habit.verb or used):
            return habit.name
    return found[0]


def tells_a_habit(text: str) -> bool:
    """Whether words tell what somebody does something with."""
    return any(True for _ in _habits(text))


def _habits(said: str) -> Iterator[_Habit]:
    """Who does what by means of which thing, as words tell."""
    for clause in _CLAUSES.split(plain_text(said)):
        turned = _IS_WHAT.match(clause.strip())
        described = _DESCRIBED.search(turned["described"]) if turned is not None else None
        one = described or _HABIT.search(clause)
        named = turned["what"] if turned is not None and described is not None else one["what"] if one else ""
        thing = named_in(named) if named else None
        if one is not None and thing is not None:
            words = " ".join((*thing.looks, thing.noun)).replace("_", " ")
            yield _Habit(person_called(one["who"]), stem_of(one["verb"]), one["by"] or "", f"the {words}")


def _of_choice(found: re.Match[str], known: Sequence[str]) -> str:
    one, other = named_in(found["a"].lower()), named_in(found["b"].lower())
    if one is None or other is None:
        return found[0]
    who = person_called(plain_text(found["who"]))
    better = better_liked((one.noun, other.noun), known, who=who, like=plain_text(found["like"]))
    if not better:
        return found[0]
    chosen = found["a"] if better == one.noun else found["b"]
    name = re.search(r"(?:the |my |our |an? |some )?[a-z ]+$", chosen, re.IGNORECASE)
    words = name[0] if name is not None else chosen
    at = words.lower().rfind(better.replace("_", " "))
    lead = found["a"][: max(found["a"].lower().rfind(one.noun.replace("_", " ")), 0)]
    lead = re.sub(r"\b(?:the|my|our|an?|some) $", "", lead, flags=re.IGNORECASE)
    return f"{lead}the {words[max(at, 0) :]}{found['more'] or ''}"


def _by_owner(found: re.Match[str]) -> str:
    """ "Bring the thing Ella owns" as "bring Ella's thing"; as it is where that is told, or asked for."""
    if _NO_ORDER.search(found["before"]) or not found.string[: found.end("before")].strip():
        return found[0]
    who = (found["who"] or found["whom"]).lower()
    whose = "my" if who in ("i", "me") else f"{found['who'] or found['whom']}'s"
    return f"{found['before']}{whose} {found['what'] or 'things'}"


def _of_owner(found: re.Match[str], facts: Sequence[Told], recent: Sequence[str]) -> str:
    if _OPEN.search(found.string[: found.start()]):
        return found[0]
    owner = owner_called(found["who"])
    owned = [fact for fact in facts if is_owner(fact.state) and fact.noun and not is_owner(fact.noun)]
    stated = [one for one in statements_in(" ".join(_sentences_before(found.string))) if is_owner(one.state)]
    told = dict.fromkeys(
        [
            *((one.state, f"{one.noun}s" if one.what.startswith("all ") else one.noun) for one in owned),
            *((one.state, f"{one.thing.noun}s" if one.thing.count == "all" else one.thing.noun) for one in stated),
        ]
    )
    owner = (
        _named_last([one for one, _ in told], [*recent, found.string[: found.start()]]) if owner in _OTHERS else owner
    )
    nouns = [noun for state, noun in told if state == owner and noun not in ("one", "it")]
    if not nouns or (_MANY.fullmatch(found["what"]) is None and len(nouns) > 1):
        return found[0]
    whose = "my" if owner == MINE else owner.replace("_", " ").capitalize()
    return " and ".join(f"{whose} {noun.replace('_', ' ')}" for noun in nouns)


def _named_last(owners: Sequence[str], lines: Sequence[str]) -> str:
    """The one of the owners who was named last in what a person said, else the only one; "" where it is none."""
    names = [owner for owner in dict.fromkeys(owners) if owner.endswith(("'s", "s'"))]
    for line in reversed([line for line in lines if not line.startswith("robot:")]):
        at = {owner: plain_text(line).rfind(owner.removesuffix("'s").replace("_", " ")) for owner in names}
        spoken = [owner for owner in names if at[owner] >= 0]
        if spoken:
            return max(spoken, key=lambda owner: at[owner])
    return names[0] if len(names) == 1 else ""

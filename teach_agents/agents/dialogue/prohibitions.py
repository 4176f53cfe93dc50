"""What a Follower was told not to do: rules, what they bar, which orders break them, what ends them.

`barred_actions` checks by them where actions come out, whatever these are for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls, kinds_of
from teach_agents.agents.dialogue.order_needs import need_of
from teach_agents.agents.dialogue.purpose_rules import serves
from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.rule_scope import BASINS, bears_on, in_general, names, of_anybody
from teach_agents.agents.dialogue.stated_prohibitions import but_for, whom
from teach_agents.agents.dialogue.wide_permissions import excepted_in, frees_all, is_wide
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import write_meaning

CLICKS: Mapping[str, frozenset[str]] = {
    verb: frozenset(clicks.split())
    for verbs, clicks in (
        ("get pick_up move show", "Pickup"),
        ("put put_back drop throw_away serve", "Place"),
        ("open look_in", "Open"),
        ("close", "Close"),
        ("turn_on cook boil toast make", "ToggleOn"),
        ("turn_off", "ToggleOff"),
        ("slice crack", "Slice"),
        ("eat", "Slice ToggleOn"),
        ("break", "Break"),
        ("empty pour fill water", "Pour"),
        ("wash", "Clean"),
        ("touch", "Pickup Place Open Close ToggleOn ToggleOff Slice Pour Break Clean Fill Dirty"),
    )
    for verb in verbs.split()
}
"""By an order's verb, TEACh's interactions that do it."""
WALKING = frozenset({"go_to", "come", "step_forward", "step_back", "step_left", "step_right", "follow"})
_MOVED = frozenset({"Pickup", "Place"})
_WHERE = frozenset({"in", "on", "at", "near", "to", "from"})
"""Parts of an order that say where something is put, or taken from."""
_USING = frozenset({"turn_on", "touch"})
_TAKING = _USING | {"get", "pick_up"}
"""Verbs of rules that are against using a thing, or a tool."""
_POINTING = frozenset({"it", "them", "that", "there"})
_ALL = re.compile(r"\b(?:everything|anything|nothing|all|stuff|things)\b")
"""Words of a rule that is about whatever is somewhere."""
_NOTHING = re.compile(r"\b(?:nothing|anything|something)\b")
_NEAR = re.compile(
    r"\b(?:near|nearby|close to|closer|clear of|approach(?:ing)?|by|next to|at a distance"
    r"|(?:keep|stay|steer|get|be|walk)(?:ing)? (?:well |far |right )?away)\b"
)
"""Words for keeping one's distance: from what is on there as well."""
_OFF_IT = re.compile(r"\b(?:keep|stay|get|hands|everyone|everybody)(?:s|ing)? (?:right |well )?off\b")
_PEOPLE = frozenset({"anyone", "anybody", "someone", "somebody", "you", "yourself", "people", "kid", "hand", "finger"})
_SHUT = frozenset(
    {"Fridge", "Cabinet", "Drawer", "Microwave", "Safe", "Box", "Dresser", "LaundryHamper", "WashingMachine"}
)
"""What one is told not to go into, and does not walk into."""
_INTO = re.compile(r"\b(?:in|into|inside|through|out of)\b")


def rule_of(forbidden: DialogueAct, resolver: Resolver, said: str) -> Rule:
    """What an order in a prohibition comes to. Things named in general ("the drawers") are barred as a kind; what may
    not be taken from somewhere, or put there, is free elsewhere."""
    forbidden = _running(_anything(_opened(of_anybody(forbidden), said), said))
    moves = bool(CLICKS.get(forbidden.about, frozenset()) & _MOVED) and forbidden.about != "touch"
    where = [slot.phrase for slot in forbidden.slots if moves and slot.role in _WHERE]
    things, looks = in_general([slot.phrase for slot in forbidden.slots if slot.phrase not in where])
    nouns, ids = _named(things, resolver)
    places, place_ids = _named(where, resolver)
    words, only, but = said or write_meaning([forbidden]), whom(said), but_for(said)
    return Rule(forbidden.about, nouns, ids, words, (), places, place_ids, whom=only, but_for=but, looks=looks)


def _running(act: DialogueAct) -> DialogueAct:
    """ "Do not run any water", "no water in the bath" are of the taps that it runs from."""
    basin = next((slot.phrase for slot in act.slots if slot.role in ("in", "into")), None)
    if act.about in ("put", "pour") and basin is not None and BASINS & {*kinds_of(basin.noun)}:
        if act.slots[0].phrase.noun == "water":
            return act._replace(about="turn_on", slots=(Slot("", Phrase("tap", "any", place=("of", basin))),))
    if act.about not in _USING or not act.slots or act.slots[0].phrase.noun != "water":
        return act
    return act._replace(slots=(act.slots[0]._replace(phrase=Phrase("tap", "any")), *act.slots[1:]))


def _opened(act: DialogueAct, said: str) -> DialogueAct:
    """ "Do not go into the fridge", which is to open it: nobody walks into what is furniture; to keep off the sofa is
    not to touch it; "I want nobody in the fridge" is of opening it."""
    if act.about == "put" and len(act.slots) > 1 and act.slots[0].phrase.noun in _PEOPLE:
        about = "open" if _SHUT & {*kinds_of(act.slots[1].phrase.noun)} else "touch"
        return act._replace(about=about, slots=(act.slots[1]._replace(role=""),))
    if act.about in ("go_to", "come") and act.slots and _OFF_IT.search(said.lower()):
        return act._replace(about="touch", slots=(act.slots[0]._replace(role=""), *act.slots[1:]))
    if act.about not in ("go_to", "come") or not act.slots or not _INTO.search(said.lower()):
        return act
    if not _SHUT & {*kinds_of(act.slots[0].phrase.noun)}:
        return act
    return act._replace(about="open", slots=(act.slots[0]._replace(role=""), *act.slots[1:]))


def _anything(act: DialogueAct, said: str) -> DialogueAct:
    """ "The cover is damp, nothing is to go on it": of what no household has, whatever would be put there is meant."""
    if (
        act.about != "put"
        or len(act.slots) < 2
        or kinds_of(act.slots[0].phrase.noun)
        or act.slots[0].phrase.noun in ANYTHING
        or not _NOTHING.search(said.lower())
    ):
        return act
    return act._replace(slots=(Slot("", Phrase("anything")), *act.slots[1:]))


def _named(phrases: Sequence[Phrase], resolver: Resolver) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The nouns of what is named in general, and the ids of what is told apart."""
    told_apart = [one for one in phrases if _is_told_apart(one)]
    ids = tuple(thing.object_id for one in told_apart for thing in _meant(one, resolver))
    return tuple(one.noun for one in phrases if one not in told_apart), ids


def is_of_things(act: DialogueAct) -> bool:
    """Whether an act forbids something to be done with certain things, or puts a certain order off."""
    phrases = [slot.phrase for one in act.of for slot in one.slots]
    return any(phrase.place is not None or kinds_of(phrase.noun) for phrase in phrases)


def _is_told_apart(phrase: Phrase) -> bool:
    return bool(phrase.looks) or phrase.place is not None or phrase.noun in _POINTING


def _meant(phrase: Phrase, resolver: Resolver) -> Sequence[Thing]:
    if phrase.noun == "there":
        return resolver.salience.there()[:1]
    found = resolver.find(phrase)
    return found.chosen if found.salient and phrase.noun not in ANYTHING else found.things


def forbidden(name: str, thing: Thing, rules: Sequence[Rule], things: Things) -> Rule | None:
    """The rule that an interaction with a thing would break where it is, if any; `things` are all that are known."""
    clicks = [rule for rule in rules if rule.verb not in WALKING and name in CLICKS.get(rule.verb, ())]
    return next((rule for rule in clicks if bears_on(rule, thing) and holds_at(rule, around(thing, things))), None)


def rule_against(verb: str, thing: Thing, rules: Sequence[Rule], spots: Sequence[Thing]) -> Rule | None:
    """The rule that an order's verb would break with a thing, if any; `spots` is where it is, or is to be put."""
    against = (rule for rule in rules if _is_against(rule, verb))
    return next((rule for rule in against if bears_on(rule, thing) and _holds_for(rule, verb, spots)), None)


def places_left(thing: Thing, places: Sequence[Thing], rules: Sequence[Rule]) -> list[Thing]:
    """Of places where a thing may be put those where that is not forbidden; all where it is everywhere."""
    hands_off = [rule for rule in rules if rule.verb == "touch"]
    return [
        place
        for place in places
        if rule_against("put", thing, rules, [place]) is None and not any(bears_on(rule, place) for rule in hands_off)
    ] or [*places]


def off_limits(rules: Sequence[Rule], things: Things) -> frozenset[str]:
    """The ids of what nothing is to be put on or in for a while, as some rule forbids to put things there."""
    touched = [rule for rule in rules if rule.verb == "touch" and (rule.nouns or rule.ids)]
    placed = [rule for rule in rules if "Place" in CLICKS.get(rule.verb, ()) and (rule.places or rule.place_ids)]
    return frozenset(
        thing.object_id
        for thing in things
        if any(bears_on(rule, thing) for rule in touched) or any(holds_at(rule, [thing]) for rule in placed)
    )


def unshut(rules: Sequence[Rule], things: Things) -> frozenset[str]:
    """The ids of what is not to be shut, or switched off, again where it was opened, or switched on, on the way."""
    ends = [rule for rule in rules if rule.verb in ("close", "turn_off")]
    return frozenset(thing.object_id for thing in things for rule in ends if bears_on(rule, thing))


def spots_of(order: DialogueAct, thing: Thing, resolver: Resolver) -> Sequence[Thing]:
    """Where an order is about a thing: where it puts it, where it takes it from."""
    if "Place" not in CLICKS.get(order.about, ()):
        return around(thing, resolver.body.things)
    where = [slot.phrase for slot in order.slots if slot.role in _WHERE]
    if not where and order.about == "throw_away":
        return [*resolver.body.things.of("GarbageCan")]
    return [one for phrase in where for one in _meant(phrase, resolver)]


def breaks(order: DialogueAct, rules: Sequence[Rule], resolver: Resolver) -> list[Rule]:
    """The rules that an order itself would break, if not only some of what it may be about is forbidden."""
    rules = [rule for rule in rules if not serves(order, rule.said)]
    things = [thing for slot in order.slots[:1] for thing in _may_be_meant(slot.phrase, rules, resolver)]
    spots = {thing.object_id: spots_of(order, thing, resolver) for thing in things}
    against = [rule for rule in rules if _is_against(rule, order.about)]
    if things and not all(rule_against(order.about, one, rules, spots[one.object_id]) for one in things):
        against = []
    broken = [
        rule
        for rule in against
        if (not rule.nouns and not rule.ids)
        or (not things and names(rule, order))
        or any(bears_on(rule, one) and _holds_for(rule, order.about, spots[one.object_id]) for one in things)
    ]
    broken += [rule for rule in rules if rule not in broken and _gives(order, things, rule)]
    broken += [rule for rule in _of_places(order, rules, resolver) if rule not in broken]
    broken += [rule for rule in _too_near(order, rules, resolver) if rule not in broken]
    return [*broken, *(rule for rule in _without_tools(order, rules, resolver.body.things) if rule not in broken)]


def _gives(order: DialogueAct, things: Sequence[Thing], rule: Rule) -> bool:
    """Whether an order gives somebody what they are not to have: "Grandpa never gets the salt"."""
    people = {noun for noun in rule.places if not kinds_of(noun)}
    to = {slot.phrase.noun for slot in order.slots if slot.role == "to"}
    given = bool(people and to & {*people, "him", "her", "them"}) and _is_against(rule, order.about)
    return given and any(bears_on(rule, thing) for thing in things)


def _of_places(order: DialogueAct, rules: Sequence[Rule], resolver: Resolver) -> list[Rule]:
    """The rules against touching where an order puts its thing, or what it uses, whichever is meant."""
    hands_off = [rule for rule in rules if rule.verb == "touch" and (rule.nouns or rule.ids)]
    named = [slot.phrase for slot in order.slots if hands_off and slot.role in ("in", "on", "with")]
    meant = [[*_meant(phrase, resolver)] for phrase in named]
    return [rule for rule in hands_off if any(one and all(bears_on(rule, thing) for thing in one) for one in meant)]


def keeps_from(rule: Rule, thing: Thing, things: Things) -> bool:
    """Whether a rule has the body keep its distance from a thing, or from what that is on or in."""
    told = bool(rule.nouns or rule.ids) and rule.verb in WALKING and _NEAR.search(rule.said.lower()) is not None
    return told and any(bears_on(rule, one) for one in (thing, *around(thing, things)))


def _too_near(order: DialogueAct, rules: Sequence[Rule], resolver: Resolver) -> list[Rule]:
    """The rules to keep away from what an order is about, or from where that is, or is to be put."""
    apart = [rule for rule in rules if rule.verb in WALKING and rule.verb != order.about]
    named = [slot.phrase for slot in order.slots if apart and slot.role in ("", "in", "on", "from")]
    meant = [[*_meant(phrase, resolver)] for phrase in named]
    things = resolver.body.things
    return [rule for rule in apart if any(one and all(keeps_from(rule, x, things) for x in one) for one in meant)]


def _without_tools(order: DialogueAct, rules: Sequence[Rule], things: Things) -> list[Rule]:
    """The rules that leave nothing of some kind of tool that an order takes: no knife to slice with, no tap to wash."""
    need = need_of(_as_made(order, things)) if rules else None
    for group in need.tools if need is not None else ():
        tools = [thing for kind in group for thing in things.of(kind)]
        against = [[rule for rule in rules if against_tool(rule, tool)] for tool in tools]
        if tools and all(against):
            return list(dict.fromkeys(rule for one in against for rule in one))
    return []


def _as_made(order: DialogueAct, things: Things) -> DialogueAct:
    """ "Bring me a coffee" where there is none yet is to make one, "pour me some water" to fill something."""
    if order.about not in ("get", "serve", "pour", "put") or not order.slots:
        return order
    phrase = order.slots[0].phrase
    content = phrase.holds or (phrase.place[1] if phrase.place is not None and phrase.place[0] == "of" else phrase)
    verb = {"coffee": "make", "water": "fill"}.get(content.noun)
    there = any(liquid_in(one) == content.noun for one in things)
    return order if verb is None or there else DialogueAct(order.act, verb, (Slot("", content),))


def against_tool(rule: Rule, tool: Thing) -> bool:
    """Whether a rule is against using a tool: against taking it, going to it, or putting anything at all in it."""
    if rule.verb == "put" and rule.nouns and {*rule.nouns} <= ANYTHING:
        return bool(rule.places or rule.place_ids) and holds_at(rule, [tool])
    walking = rule.verb in WALKING and bool(rule.nouns or rule.ids)
    return (walking or rule.verb in _TAKING) and bears_on(rule, tool)


def _may_be_meant(phrase: Phrase, rules: Sequence[Rule], resolver: Resolver) -> Sequence[Thing]:
    """What an order may be about: not only what was spoken of last where that was but excepted from what is named."""
    if _is_told_apart(phrase) and not with_purpose(phrase)[1]:
        return _meant(phrase, resolver)
    named = [rule for rule in rules if rule.nouns]
    things = resolver.find(phrase).things if named and phrase.noun not in PRONOUNS | {"there"} else []
    free = [thing for thing in things if not any(bears_on(rule, thing) for rule in named)]
    return things if free and len(free) < len(things) else _meant(phrase, resolver)


def limits(order: DialogueAct, forbidden: DialogueAct, resolver: Resolver) -> bool:
    """Whether what is forbidden excepts some of what an order may be about, and not all of it."""
    rule = rule_of(forbidden, resolver, "")
    if not order.slots or order.slots[0].role or not (rule.nouns or rule.ids) or not _is_against(rule, order.about):
        return False
    may_be = resolver.find(order.slots[0].phrase).things
    return len({bears_on(rule, thing) for thing in may_be}) > 1


def _is_against(rule: Rule, verb: str) -> bool:
    """Whether a rule is about what an order's verb does."""
    clicks = CLICKS.get(verb, frozenset())
    return rule.verb == verb or bool(clicks & CLICKS.get(rule.verb, frozenset()))


def around(thing: Thing | None, things: Things) -> Sequence[Thing]:
    return () if thing is None else things.holders(thing)


def holds_at(rule: Rule, spots: Sequence[Thing]) -> bool:
    """Whether a rule holds where something is taken or put."""
    if not rule.places and not rule.place_ids:
        return True
    return any(one.object_id in rule.place_ids or any(calls(noun, one) for noun in rule.places) for one in spots)


def _holds_for(rule: Rule, verb: str, spots: Sequence[Thing]) -> bool:
    """Whether a rule holds for what a verb does at these spots: of places that would do, at all of them."""
    if "Place" in CLICKS.get(verb, ()):
        return bool(spots) and all(holds_at(rule, [one]) for one in spots) or not (rule.places or rule.place_ids)
    return holds_at(rule, spots)


def lifted(allowed: DialogueAct, rules: Sequence[Rule], resolver: Resolver, said: str = "") -> list[Rule]:
    """The rules that hold on when something is allowed again."""
    allowed = _running(_opened(allowed, said))
    if frees_all(said):
        return []
    if is_wide(allowed, said):
        but = excepted_in(said)
        freed = [one for one in rules if one.verb not in WALKING and _is_freed(one, allowed)]
        return [one for one in rules if one not in freed or but & {*_kinds_named(one)}]
    phrases = [slot.phrase for slot in allowed.slots if slot.role not in _WHERE]
    nouns = {one.noun for one in phrases if one.noun in _POINTING or not _is_told_apart(one)}
    where = {slot.phrase.noun for slot in allowed.slots if slot.role in _WHERE}
    ids = {thing.object_id for one in phrases for thing in _meant(one, resolver)}
    if any(
        bears_on(rule, thing) for rule in rules if rule.ids or rule.nouns for thing in resolver.body.things.known(ids)
    ):
        nouns -= _POINTING

    def left(rule: Rule) -> Rule | None:
        """What holds on of a rule: all of it, all but some things, or nothing."""
        same = allowed.about in ("touch", "") or _is_against(rule, allowed.about)
        if not same or not phrases or not {*rule.nouns, *rule.ids} or nouns & _POINTING:
            return None if same else rule
        things = resolver.body.things
        told = {thing.object_id for thing in things if bears_on(rule, thing)}
        if allowed.about in ("touch", "") and told and _ALL.search(rule.said.lower()):
            inside = {thing.object_id for thing in things if any(one.object_id in ids for one in things.holders(thing))}
            if told <= inside:
                return None
        vague = bool(nouns & ANYTHING and {*rule.nouns} & ANYTHING) and where <= {*rule.places, *PRONOUNS}
        if vague or nouns & {*rule.nouns} or (told and told <= ids):
            return None
        return rule if not told & ids else replace(rule, but=(*rule.but, *sorted(told & ids)))

    return [one for rule in rules if (one := left(rule)) is not None]


def _is_freed(rule: Rule, allowed: DialogueAct) -> bool:
    """Whether a rule is about no more than what is allowed to be done with anything at all, or about anything."""
    clicks = CLICKS.get(rule.verb, frozenset())
    within = rule.verb == allowed.about or bool(clicks) and clicks <= CLICKS.get(allowed.about, frozenset())
    anything = bool(rule.nouns) and {*rule.nouns} <= ANYTHING and _is_against(rule, allowed.about)
    return allowed.about in ("touch", "do", "") or within or anything


def _kinds_named(rule: Rule) -> Iterator[str]:
    """The kinds of things that a rule names, or is about."""
    for noun in rule.nouns:
        yield from kinds_of(noun)
    yield from (name.partition("|")[0] for name in rule.ids)


_GRANTS = re.compile(
    r"\b(?:i(?:'ve| have)? )?changed my mind\b[^?]*$|\bi take (?:it|that) back\b[^?]*$|"
    r"\byou(?: can| may| could|'re allowed to| are allowed to)\b[^?]*\b(?:now|again|after all|by now)\b[^?]*$"
)


def grants(text: str) -> bool:
    """Whether the words of an order permit it from now on: "OK, you can turn it off now"."""
    return _GRANTS.search(text.lower().replace("\u2019", "'")) is not None


def told_not_to(said: str, *, lower: bool = False) -> str:
    """That something was forbidden, in the words in which it was."""
    words = f'You told me: "{said.strip()}"'
    return (words[0].lower() + words[1:] if lower else words) + ("" if said.rstrip().endswith((".", "!")) else ".")

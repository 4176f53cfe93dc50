"""What a Follower was told not to do, checked where its actions come out, whatever they are for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import GRID, neighbour
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_types import ANYTHING, calls
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct
from teach_agents.understanding.notation import write_meaning

_CLICKS: Mapping[str, frozenset[str]] = {
    verb: frozenset(clicks.split())
    for verbs, clicks in (
        ("get pick_up move show", "Pickup"),
        ("put put_back drop throw_away serve", "Place"),
        ("open look_in", "Open"),
        ("close", "Close"),
        ("turn_on cook boil toast make", "ToggleOn"),
        ("turn_off", "ToggleOff"),
        ("slice crack", "Slice"),
        ("break", "Break"),
        ("empty pour fill water", "Pour"),
        ("wash", "Clean"),
        ("touch", "Pickup Place Open Close ToggleOn ToggleOff Slice Pour Break Clean Fill Dirty"),
    )
    for verb in verbs.split()
}
"""By an order's verb, TEACh's interactions that do it."""
_WALKING = frozenset({"go_to", "come", "step_forward", "step_back", "step_left", "step_right", "follow"})
_CLOSE = 0.8
"""Who is no further from a thing has gone to it, metres."""


def rule_of(forbidden: DialogueAct, resolver: Resolver, said: str) -> Rule:
    """What an order in a prohibition comes to. Things named in general ("the drawers") are barred as a kind."""
    slots = [slot.phrase for slot in forbidden.slots]
    told_apart = [one for one in slots if one.looks or one.place is not None or one.noun in ("it", "them", "that")]
    found = [resolver.find(one) for one in told_apart]
    ids = tuple(
        thing.object_id
        for one, phrase in zip(found, told_apart, strict=True)
        for thing in (one.chosen if one.salient and phrase.noun not in ANYTHING else one.things)
    )
    nouns = tuple(one.noun for one in slots if one not in told_apart)
    return Rule(forbidden.about, nouns, ids, write_meaning([forbidden]) if not said else said)


def barred(action: Action, body: Body, rules: Sequence[Rule]) -> Rule | None:
    """The rule that an action would break, if any."""
    for rule in rules:
        if rule.verb in _WALKING:
            if _walks_to(action, body, rule):
                return rule
        elif action.name in _CLICKS.get(rule.verb, ()):
            thing = body.held if action.name == "Place" and rule.verb != "touch" else _clicked(action, body)
            if thing is not None and _is_about(rule, thing):
                return rule
    return None


def forbidden(name: str, thing: Thing, rules: Sequence[Rule]) -> Rule | None:
    """The rule that an interaction with a thing would break, if any."""
    clicks = [rule for rule in rules if rule.verb not in _WALKING and name in _CLICKS.get(rule.verb, ())]
    return next((rule for rule in clicks if _is_about(rule, thing)), None)


def rule_against(verb: str, thing: Thing, rules: Sequence[Rule]) -> Rule | None:
    """The rule that an order's verb would break with a thing, if any."""
    clicks = _CLICKS.get(verb, frozenset())
    return next(
        (
            rule
            for rule in rules
            if (rule.verb in (verb, "touch") or clicks & _CLICKS.get(rule.verb, frozenset())) and _is_about(rule, thing)
        ),
        None,
    )


def breaks(order: DialogueAct, rules: Sequence[Rule], resolver: Resolver) -> list[Rule]:
    """The rules that an order itself would break, if not only some of what it may be about is forbidden."""
    found = [resolver.find(slot.phrase) for slot in order.slots[:1]]
    things = [thing for one in found for thing in (one.chosen if one.salient else one.things)]
    clicks = _CLICKS.get(order.about, frozenset())
    against = [
        rule for rule in rules if rule.verb in (order.about, "touch") or clicks & _CLICKS.get(rule.verb, frozenset())
    ]
    if things and not all(rule_against(order.about, thing, rules) for thing in things):
        against = []
    needed = _needed(order, resolver)
    against += [
        rule for rule in rules if needed and all(_is_about(rule, one) for one in needed) and rule not in against
    ]
    return [
        rule
        for rule in against
        if (not rule.nouns and not rule.ids) or any(_is_about(rule, thing) for thing in (*things, *needed))
    ]


def _needed(order: DialogueAct, resolver: Resolver) -> list[Thing]:
    """What an order cannot do without, all of its kind."""
    return [*resolver.body.things.of("Faucet")] if order.about in ("wash", "fill") else []


def lifted(allowed: DialogueAct, rules: Sequence[Rule], resolver: Resolver) -> list[Rule]:
    """The rules that hold on when something is allowed again."""
    nouns = {slot.phrase.noun for slot in allowed.slots}
    ids = {thing.object_id for slot in allowed.slots for thing in resolver.find(slot.phrase).things}

    def left(rule: Rule) -> Rule | None:
        """What holds on of a rule: all of it, all but some things, or nothing."""
        same = allowed.about in (rule.verb, "touch", "") or rule.verb == "touch"
        if not same or not nouns or not {*rule.nouns, *rule.ids} or nouns & {"it", "them", "that"}:
            return None if same else rule
        told = {thing.object_id for thing in resolver.body.things if _is_about(rule, thing)}
        if nouns & {*rule.nouns} or (told and told <= ids):
            return None
        return rule if not told & ids else replace(rule, but=(*rule.but, *sorted(told & ids)))

    return [one for rule in rules if (one := left(rule)) is not None]


def _is_about(rule: Rule, thing: Thing) -> bool:
    if thing.object_id in rule.but:
        return False
    if not rule.nouns and not rule.ids:
        return True
    return thing.object_id in rule.ids or any(calls(noun, thing) for noun in rule.nouns)


def _clicked(action: Action, body: Body) -> Thing | None:
    """What a click is on."""
    if action.x is None or action.y is None:
        return body.held
    seen = body.observation.privileged.segmentation
    height, width = seen.ids.shape
    row, column = min(int(action.y * height), height - 1), min(int(action.x * width), width - 1)
    number = int(seen.ids[row, column])
    return body.things.get(seen.object_ids[number]) if number >= 0 else None


def _walks_to(action: Action, body: Body, rule: Rule) -> bool:
    """Whether a step brings the body closer to something that it is to keep away from, and close to it."""
    if action.name not in ("Forward", "Backward", "Pan Left", "Pan Right"):
        return False
    (x, z), here = neighbour(body.stand, action.name)[0], body.pose.position
    for thing in body.things:
        if not _is_about(rule, thing) or (not rule.nouns and not rule.ids):
            continue
        then = _gap(thing, x * GRID, z * GRID)
        if then < _CLOSE and then < _gap(thing, here.x, here.z) - 1e-6:
            return True
    return not rule.nouns and not rule.ids


def _gap(thing: Thing, x: float, z: float) -> float:
    """From a point to a thing's box on the map, metres."""
    across = max(thing.low.x - x, x - thing.high.x, 0.0)
    along = max(thing.low.z - z, z - thing.high.z, 0.0)
    return float(np.hypot(across, along))


def told_not_to(said: str, *, lower: bool = False) -> str:
    """That something was forbidden, in the words in which it was."""
    words = f'You told me: "{said.strip()}"'
    return (words[0].lower() + words[1:] if lower else words) + ("" if said.rstrip().endswith((".", "!")) else ".")

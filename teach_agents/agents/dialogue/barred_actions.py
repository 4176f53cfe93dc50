"""Actions as they come out, checked against what the Follower was told not to do."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import GRID, neighbour
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.prohibitions import CLICKS, WALKING, around, holds_at, keeps_from
from teach_agents.agents.dialogue.rule_scope import bears_on
from teach_agents.observations import Vec3

_CLOSE = 0.8
"""Who is no further from a thing has gone to it, metres."""


def barred(action: Action, body: Body, rules: Sequence[Rule]) -> Rule | None:
    """The rule that an action would break, if any."""
    for rule in rules:
        if rule.verb in WALKING:
            if _walks_to(action, body, rule):
                return rule
            clicked = _clicked(action, body) if action.name in CLICKS["touch"] else None
            if clicked is not None and keeps_from(rule, clicked, body.things):
                return rule
        elif action.name in CLICKS.get(rule.verb, ()):
            clicked = _clicked(action, body)
            thing, spots = clicked, around(clicked, body.things)
            if action.name == "Place" and rule.verb != "touch":
                spots = [one for one in spots if one.object_type != "Floor"]  # on which all furniture stands
                thing, spots = body.held, [clicked, *spots] if clicked is not None else spots
            if thing is not None and bears_on(rule, thing) and holds_at(rule, spots):
                return rule
    return None


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
    there = Vec3(x * GRID, here.y, z * GRID)
    for thing in body.things:
        if not bears_on(rule, thing) or (not rule.nouns and not rule.ids):
            continue
        then = thing.away(there)
        if then < _CLOSE and then < thing.away(here) - 1e-6:
            return True
    return not rule.nouns and not rule.ids

"""Which things a prohibition is about."""

from __future__ import annotations

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_types import calls


def bears_on(rule: Rule, thing: Thing) -> bool:
    """Whether a rule is about a thing, or about all things."""
    if thing.object_id in rule.but:
        return False
    if not rule.nouns and not rule.ids:
        return True
    return thing.object_id in rule.ids or any(calls(noun, thing) for noun in rule.nouns)

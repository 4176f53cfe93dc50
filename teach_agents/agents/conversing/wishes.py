"""Orders carried out as people mean them, and what is honestly said of what became of them."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.conversing.resolving import Resolver
from teach_agents.agents.conversing.state import DialogueState
from teach_agents.agents.conversing.wishing import (
    bringing,
    carrying,
    cooking,
    going,
    refusing,
    switching,
    tidying,
    washing,
)
from teach_agents.agents.conversing.wishing.errand import Errand, Outcome, UnableError
from teach_agents.agents.conversing.wishing.working import Ready
from teach_agents.core.dialogue import DialogueAct

__all__ = ["Outcome", "Wishes"]

_WISHES: Mapping[str, Ready] = {
    "get": bringing.brought,
    "pick_up": carrying.picked_up,
    "put": carrying.put,
    "put_back": carrying.put_back,
    "drop": carrying.dropped,
    "throw_away": carrying.thrown_away,
    "serve": bringing.served,
    "move": carrying.moved,
    "go_to": going.gone_to,
    "come": going.came,
    "find": going.found,
    "look_at": going.looked_at,
    "look_around": going.looked_around,
    "show": going.shown,
    **dict.fromkeys(going.MOTIONS, going.moved_a_little),
    "look_in": switching.looked_in,
    "open": switching.opened,
    "close": switching.closed,
    "turn_on": switching.turned_on,
    "turn_off": switching.turned_off,
    "wash": washing.washed,
    "fill": washing.filled,
    "empty": washing.emptied,
    "pour": washing.poured,
    "water": washing.watered,
    "slice": cooking.sliced,
    "crack": cooking.cracked,
    "cook": cooking.cooked,
    "boil": cooking.boiled,
    "toast": cooking.toasted,
    "make": cooking.made,
    "clear": tidying.cleared,
}


class Wishes:
    """Carries out orders with a body; what they name is resolved by the talk they are said in."""

    def __init__(self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random) -> None:
        self._body = body
        self._state = state
        self._resolver = resolver
        self._rng = rng

    def carry_out(self, order: DialogueAct) -> Generator[Action, None, Outcome]:
        """Do what an order asks, as far as it can be done. Yields motions and clicks, no words; never raises."""
        errand = Errand(self._body, self._state, self._resolver, self._rng, order)
        try:
            outcome = yield from errand.watched(_WISHES.get(order.about, refusing.refused)(errand))
        except UnableError as error:
            outcome = Outcome(False, error.words, error.ids)
        except SkillError as error:
            ids = (error.thing.object_id,) if error.thing is not None else ()
            outcome = Outcome(False, errand.unable(error), ids)
        yield from errand.put_right()
        if outcome.done and errand.lacking:
            outcome = outcome._replace(done=False, said=f"{outcome.said} {errand.lacking}")
        return outcome._replace(said=self._otherwise(outcome.said))

    def _otherwise(self, said: str) -> str:
        """In other words where it was said just before."""
        if said not in self._state.last_said:
            return said
        first = said if said.startswith(("I ", "I'")) else said[:1].lower() + said[1:]
        return f"{self._rng.choice(('As before', 'It is still so'))}: {first}"

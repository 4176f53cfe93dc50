"""Look around, and look for what was not seen yet.

Only a body that has to look for itself does any of this (`Body.knowledge`): where everything is known there is nothing
to look for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted, go_to, not_found, tilt
from teach_agents.agents.acting.insides import Inside
from teach_agents.agents.acting.knowledge import FAR_ONLY, Knowledge
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.reaching import effort
from teach_agents.agents.acting.receptacles import DEEP, LIDDED, likelihood
from teach_agents.agents.acting.skills.hands import close, open_up, uncover
from teach_agents.agents.acting.skills.search_budgets import Budget, Enough, Home
from teach_agents.agents.acting.skills.surface_search import best_chance, lack, look_along_walls, look_over, take
from teach_agents.agents.acting.things import Test, Thing, Things
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.observations import Vec3
from teach_agents.understanding.english.values import ReportKind

_DOWN = 30
"""Pitch at which the floor ahead, tables and counters are all in view, degrees."""
_WORTH, _SCRAP = 6.0, 1.5
"""Unseen columns of the room for which a survey, and a search for something, takes another look."""
_TOLL = 0.15
"""Unseen columns for which a search, before it opens things, takes one more action."""
_START = 3.0
"""What a look costs beyond the way, in actions."""
_SURVEY, _ROUND, _SEARCH = 40, 36, 180
"""Actions that a survey, one that ends where it began, and a search take at most."""
_VIEWS = 5
_HUNCHES, _GLANCES = 6, 2
"""How many hunches are followed in one search, and from how many places each is looked at."""
_NEVER = 0.002
"""How likely a receptacle must hold a thing to be opened for it."""
_TOLD = 100.0
"""The chance of a receptacle of which was said that it holds a thing: it comes first wherever it stands."""
_AGAIN, _UNSEEN, _STUCK, _LOOKS = 0.1, 0.5, 0.5, 2
"""What is left of a chance where one has looked before, at least and if nothing showed, and where it did not open; how
often one tries."""
_FLAT = frozenset("ButterKnife CD CreditCard Fork KeyChain Knife Pen Pencil RemoteControl Spoon Watch".split())
_FLAT_OVERLOOKED = 0.3
"""What lies so flat that it is easily overlooked from afar, and how likely it is."""
_WELL = 0.5
"""Share of an inside that may not have shown where it is known what is in there."""
_PATIENCE = 15
"""Actions beyond the way that are spent on opening a receptacle only to look inside."""
_DETOUR = 5
"""Actions that another view of an inside is worth at first: an open door may be in the way of it."""
_UNHANDY = 6.0
"""What opening a receptacle and looking inside costs beyond the way, in actions."""


def survey(body: Body, most: int = _SURVEY) -> Steps:
    """See the room: turn around once, then look where much of it is hidden, for at most so many actions."""
    if body.knowledge is None:
        return
    budget = Budget(most, bool)
    yield from budget.spend(_turn_around(body))
    yield from _see_the_rest(body, budget, _WORTH)


def look_round(body: Body, most: int = _ROUND) -> Steps:
    """A survey that ends where it began, within so many actions: whoever looks on tells one to turn from there."""
    if body.knowledge is None:
        return
    home = Home(body)
    budget = Budget(most, bool, home)
    yield from budget.spend(_turn_around(body))
    yield from _see_the_rest(body, budget, _WORTH)
    yield from attempted(go_to(body, home.place))


def one_more(body: Body, *nouns: str) -> Enough:
    """A test whether more such things are known than now."""
    before = {thing.object_id for thing in body.things.of(*nouns)}
    return lambda: any(thing.object_id not in before for thing in body.things.of(*nouns))


def has_seen_all(body: Body) -> bool:
    """Whether no corner of the room is left that is worth the way."""
    return body.knowledge is None or _best_view(body, _SCRAP, set(), Budget(math.inf, bool), _TOLL) is None


def look_about(body: Body, wanted: Enough, most: int = _SEARCH, noun: str = "") -> Steps:
    """Look into unseen corners that are worth the way until `wanted` holds, for at most so many actions; nothing is
    opened. Where `noun` is given, then the walls and what such a thing may stand on are looked over."""
    if body.knowledge is not None and not wanted():
        budget = Budget(most, wanted)
        yield from budget.spend(tilt(body, _DOWN))
        yield from _see_the_rest(body, budget, _SCRAP, _TOLL)
        if noun and not wanted():
            yield from budget.spend(look_along_walls(body, noun))
            yield from _look_in_and_on(body, budget, partial(_chance, noun), _overlooked(noun), opens=False)


def look_for(
    body: Body,
    noun: str,
    wanted: Enough,
    likely: Test = lambda holder: False,
    most: int = _SEARCH,
) -> Steps:
    """Look for something called `noun` until `wanted` holds: in unseen corners, where it may have been seen, then in
    receptacles that hide it and on those that were not seen from near.

    Receptacles come by how likely such a thing is in or on them and how near they are, first those that are `likely`
    for what was said; those that hold nothing of it are shut again. Raises `SkillError` (not found) when it was not
    seen for at most so many actions, and at once where the whole room is known.
    """
    knowledge = body.knowledge
    if knowledge is not None and not wanted():
        budget = Budget(most, wanted)
        yield from budget.spend(tilt(body, _DOWN))
        yield from _see_the_rest(body, budget, _SCRAP, _TOLL)
        yield from _follow_hunches(body, noun, budget)
        yield from _look_in_and_on(
            body, budget, lambda holder: _TOLD if likely(holder) else _chance(noun, holder), _overlooked(noun)
        )
        yield from _see_the_rest(body, budget, _SCRAP)
    if knowledge is None or not wanted():
        raise not_found(noun)


def is_well_looked_into(body: Body, holder: Thing) -> bool:
    """Whether most of an inside showed when it was looked into, or one tried as often as one does."""
    looks = body.memory.looked_into[holder.object_id]
    return looks >= _LOOKS or (looks > 0 and body.memory.unseen_inside.get(holder.object_id, 0.0) <= _WELL)


def least_looked_into(body: Body, holders: Sequence[Thing]) -> list[Thing]:
    """Those of these that were looked into least so far."""
    least = min((_tries(body, holder) for holder in holders), default=0)
    return [holder for holder in holders if _tries(body, holder) == least]


def look_into(
    body: Body, holders: Sequence[Thing], wanted: Enough, most: int = _SEARCH, *, thorough: bool = False
) -> Steps:
    """Look at and into these, one after the other, until `wanted` holds; what was opened in vain is shut again.

    Only those are taken that were looked into least so far, and only for so many actions; who is `thorough` sees at
    once all that can be seen of an inside. Raises `SkillError` where none of them could be looked at.
    """
    budget = Budget(most, wanted)
    failure: SkillError | None = None
    reached = False
    for holder in least_looked_into(body, holders):
        before = body.memory.looked_into[holder.object_id]
        for _ in range(_LOOKS):
            failure = yield from attempted(_uncover_and_look(body, holder, budget, thorough=thorough))
            if budget.is_over():
                return
            if failure is None or body.memory.looked_into[holder.object_id] > before:
                reached = True
                break
    if failure is not None and not reached:
        raise failure


def _uncover_and_look(body: Body, holder: Thing, budget: Budget, *, thorough: bool) -> Steps:
    yield from budget.spend(uncover(body, holder))
    yield from budget.spend(_open_and_look(body, holder, budget.enough, thorough=thorough))


def _tries(body: Body, holder: Thing) -> int:
    """How often a receptacle was looked into, or could not be opened for it."""
    return body.memory.looked_into[holder.object_id] + body.memory.unopened[holder.object_id]


def look_at(body: Body, thing: Thing) -> Steps:
    """Bring a thing into view to see what has become of it: what is shut around it is opened.

    Nothing is done when it is in view, or everything is known anyway. Where it cannot be seen, it is left at that.
    """
    knowledge = body.knowledge
    if knowledge is None or thing.object_id in knowledge.in_view or body.is_gone(thing):
        return
    if not (yield from attempted(uncover(body, thing))):
        yield from _face(body, thing, lambda: thing.object_id in _seen(body).in_view or body.is_gone(thing))


def _seen(body: Body) -> Knowledge:
    assert body.knowledge is not None, "only who looks for itself gets here"
    return body.knowledge


def _turn_around(body: Body) -> Steps:
    yield from tilt(body, _DOWN)
    for _ in range(3):
        yield Action("Turn Right")


def _see_the_rest(body: Body, budget: Budget, worth: float, toll: float = 0.0) -> Steps:
    """Go where most that was never seen shows for the way, until less than `worth` is left to see, and `toll` for each
    action of the way."""
    shunned: set[Stand] = set()
    while not budget.is_over():
        vantage = _best_view(body, worth, shunned, budget, toll)
        if vantage is None:
            return
        shunned.add(vantage.stand)
        yield from attempted(budget.spend(go_to(body, vantage)))


def _best_view(body: Body, worth: float, shunned: set[Stand], budget: Budget, toll: float = 0.0) -> Vantage | None:
    """Where to look next: the stand that shows most for the actions it takes to get there, `toll` for each of them."""
    grid = body.ground.grid
    grid = grid[:: 1 + len(grid) // _MOST_CELLS]
    gains = _seen(body).coverage.gains(grid)
    costs = body.paths.costs(grid, np.arange(4)[:, None]).T
    for (x, z), heading in shunned:
        gains[(grid == (x, z)).all(axis=1), heading] = 0.0
    gains[~np.isfinite(costs)] = 0.0
    if budget.home is not None:
        gains[costs + budget.home.costs(grid) > budget.left] = 0.0
    least = worth + toll * np.where(np.isfinite(costs), costs, 0.0)
    values = np.where(gains >= least, gains / (costs + _START), 0.0)
    if not values.size or not values.max() > 0.0:
        return None
    row, turn = divmod(int(values.argmax()), 4)
    x, z = grid[row].tolist()
    return Vantage(((x, z), turn), _DOWN, 0.0, Vec3(0.0, 0.0, 0.0))


_MOST_CELLS = 150


def _follow_hunches(body: Body, noun: str, budget: Budget) -> Steps:
    """Go and see whether what was taken for something called `noun`, if faintly, is that; each thing once."""
    looked = body.memory.looked_into
    for _ in range(_HUNCHES):
        hunch = next((one for one in Things(_seen(body).hunches).of(noun) if not looked[one.object_id]), None)
        if hunch is None or budget.is_over():
            return
        looked[hunch.object_id] += 1
        yield from budget.spend(_face(body, hunch, partial(_is_told, body, hunch), _GLANCES))


def _is_told(body: Body, hunch: Thing) -> bool:
    """Whether a hunch is none any more: it came true, or nothing is there."""
    return all(row["objectId"] != hunch.object_id for row in _seen(body).hunches)


def _chance(noun: str, holder: Thing) -> float:
    """How many things called so a receptacle holds before anybody looks."""
    return likelihood(noun, holder.object_type)


def _overlooked(noun: str) -> float:
    """How likely such a thing lies openly where it was looked from afar alone."""
    return _FLAT_OVERLOOKED if noun in _FLAT else FAR_ONLY


def _look_in_and_on(
    body: Body, budget: Budget, chance: Callable[[Thing], float], overlooked: float, *, opens: bool = True
) -> Steps:
    """Look into one receptacle after the other, and over what things lie on, the most promising for the way first.

    `overlooked` is how likely such a thing was not recognised from afar.
    """
    tried: set[str] = set()
    while not budget.is_over():
        worth, holder = _most_promising(body, chance, tried) if opens else (0.0, None)
        over = best_chance(body, chance, overlooked)
        if over is not None and over.worth > worth:
            yield from budget.spend(take(body, over.holder, over.view))
        elif holder is not None:
            before = body.memory.unopened[holder.object_id]
            yield from attempted(budget.spend(_open_and_look(body, holder, budget.enough)))
            if body.memory.unopened[holder.object_id] == before:
                tried.add(holder.object_id)
        elif not tried:
            return
        else:
            tried.clear()  # once more, more closely


def _open_and_look(body: Body, holder: Thing, wanted: Enough, *, thorough: bool = False) -> Steps:
    """Look at or into a holder; what was opened for it is shut again.

    One that shows little from where it was opened is opened once more from another side. The second time it is looked
    at more thoroughly. What cannot be opened was not looked into: that is counted by itself.
    """
    was_shut = holder.is_shut
    looked, name = body.memory.looked_into, holder.object_id
    again = thorough or looked[name] > 0
    before = looked[name]
    shun: tuple[Stand, ...] = ()
    for _ in range(2):
        failure = yield from attempted(_in_good_time(body, holder, open_up(body, holder, shun=shun)))
        if failure is not None:
            body.memory.unopened[name] += looked[name] == before
            raise failure
        looked[name] = before + 1
        inside = Inside(holder, body.now(holder), body.ground.grid, thorough=again, at_any_cost=thorough)
        looks = _see_inside(body, inside, wanted, views=_VIEWS * (2 if again else 1), nearby=was_shut and not again)
        yield from _noting_unseen(body, name, inside, looks)
        yield from look_over(body, holder, wanted)
        if wanted() or not was_shut:
            return
        yield from close(body, holder)
        if holder.object_type == "Drawer" or not (inside.is_hidden or again):
            return
        shun = (body.memory.good_stands.pop(holder.object_id, body.stand),)


def _noting_unseen(body: Body, name: str, inside: Inside, looks: Steps) -> Steps:
    """Take these looks at an inside, and remember how much of it did not show, even if they are broken off."""
    least = body.memory.unseen_inside.get(name, 1.0)
    try:
        yield from looks
    finally:
        body.memory.unseen_inside[name] = min(inside.lack, least)


def _in_good_time(body: Body, holder: Thing, steps: Steps) -> Steps:
    """Take these steps, unless it takes many more than the way: there are other places to look into."""
    most = effort(body, holder) + _PATIENCE
    for number, action in enumerate(steps):
        if number >= most:
            raise SkillError(ReportKind.NOT_REACHED, holder)
        yield action


def _see_inside(body: Body, inside: Inside, wanted: Enough, *, views: int, nearby: bool) -> Steps:
    """Look from at most so many places, or from `nearby` ones only."""
    for _ in range(views):
        inside.look(body.observation.privileged.depth, body.pose)
        vantage = None if wanted() else inside.best_view(body.paths, body.pose.position.y)
        if vantage is None or (nearby and body.paths.cost(vantage.stand) > _DETOUR):
            return
        yield from attempted(go_to(body, vantage))


def _most_promising(body: Body, chance: Callable[[Thing], float], tried: set[str]) -> tuple[float, Thing | None]:
    """The receptacle that hides what is in it that is worth the way most, and how much; `None` where none is.

    That is the one with the best chance to hold such a thing for the actions it takes, of those that may be opened;
    less of a chance where it was looked into before or could not be opened, or most of an open one was seen, and none
    where that was so twice. What is on a toilet lies openly: it is opened last, unless told.
    """

    def value(holder: Thing) -> float:
        share = (
            chance(holder)
            * _left_inside(body, holder)
            * _STUCK ** body.memory.unopened[holder.object_id]
            * (1.0 if holder.has("openable") else lack(body, holder))
        )
        return share / (_UNHANDY + effort(body, holder)) if share >= _NEVER else 0.0

    valued = [
        (value(thing), thing)
        for thing in body.things
        if thing.has("receptacle")
        and (thing.has("openable") or thing.object_type in DEEP)
        and thing.object_id not in tried
        and _tries(body, thing) < _LOOKS
    ]
    free = [
        (worth, thing) for worth, thing in valued if worth > 0.0 and (not thing.is_shut or body.memory.may_open(thing))
    ]
    return max(free, key=lambda row: (row[1].object_type not in LIDDED or row[0] > 1.0, row[0]), default=(0.0, None))


def _left_inside(body: Body, holder: Thing) -> float:
    """What is left of the chance that something is inside, after the looks that were taken."""
    looks = body.memory.looked_into[holder.object_id]
    unseen = body.memory.unseen_inside.get(holder.object_id, 0.0)
    return max(_AGAIN**looks, _UNSEEN * unseen) if looks else 1.0


def _face(body: Body, thing: Thing, enough: Enough, views: int = _VIEWS) -> Steps:
    """Look at a thing from a few places, the nearest first, until it is enough."""
    tried: list[Stand] = []
    for _ in range(views):
        vantages = body.vantages(body.things.get(thing.object_id) or thing)
        if enough() or not len(vantages):
            return
        costs = body.paths.costs(vantages.cells, vantages.headings) + vantages.penalties
        for stand in tried:
            costs[vantages.at(stand)] = np.inf
        best = int(costs.argmin())
        if not np.isfinite(costs[best]):
            return
        vantage = vantages[best]
        tried.append(vantage.stand)
        yield from attempted(Budget(math.inf, enough).spend(go_to(body, vantage)))

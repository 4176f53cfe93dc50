"""What people said in recorded sessions, with what was done about it as a weak label of what it meant.

An utterance of a Commander is kept with a reading of it that the Follower's deeds bear out: those between it and the
Commander's next words. One of the reader's likeliest readings is borne out where each of its orders that names a thing
was done in the session, verb and type of the thing (Mintz et al. 2009 call this distant supervision).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from teach_agents.actions import Role
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.data.games import Game
from teach_agents.data.interactions import Keyboard
from teach_agents.learning.deeds import Deed, deeds
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.values import Verb
from teach_agents.understanding.requests import Request

Options = Callable[[str, Sequence[str]], Sequence[Sequence[DialogueAct]]]
"""The ways in which an utterance behind lines of a talk may be read, the likeliest first."""
_KIND = "plain"
_DONE_AS: Mapping[str, frozenset[Verb]] = {
    name: frozenset(verbs)
    for names, verbs in (
        ("get pick_up find", (Verb.PICK_UP, Verb.PUT)),
        ("put put_back move throw_away serve", (Verb.PUT,)),
        ("wash", (Verb.CLEAN,)),
        ("slice", (Verb.SLICE,)),
        ("cook", (Verb.COOK, Verb.BOIL, Verb.TOAST)),
        ("boil", (Verb.BOIL, Verb.COOK)),
        ("toast", (Verb.TOAST,)),
        ("fill", (Verb.FILL,)),
        ("empty", (Verb.EMPTY,)),
        ("pour", (Verb.EMPTY, Verb.WATER, Verb.FILL)),
        ("water", (Verb.WATER,)),
        ("clear", (Verb.CLEAR, Verb.PUT)),
        ("turn_on", (Verb.TURN_ON,)),
        ("turn_off", (Verb.TURN_OFF,)),
        ("open look_in", (Verb.OPEN,)),
        ("close", (Verb.CLOSE,)),
    )
    for name in names.split()
}
"""By an order's verb, the deeds that it comes to."""
_MADE = {"coffee": Verb.COFFEE, "toast": Verb.TOAST}
_WALKS = frozenset("go_to come step_forward step_back step_left step_right turn_left turn_right turn_around".split())
_PLACES = frozenset({"in", "on", "near", "at", "to"})


def labelled(games: Iterable[Game], options: Options) -> Iterator[Request]:
    """The utterances of sessions whose meaning their deeds bear out, with the talk before them."""
    for game in games:
        yield from _labelled_in(game, options)


def _labelled_in(game: Game, options: Options) -> Iterator[Request]:
    interactions = game.episode.interactions
    done, talk = deeds(interactions), list[str]()
    words = [at for at, one in enumerate(interactions) if isinstance(one, Keyboard) and one.role is Role.COMMANDER]
    for at, one in enumerate(interactions):
        if not isinstance(one, Keyboard):
            continue
        if one.role is Role.COMMANDER and one.utterance.strip():
            until = next((other for other in words if other > at), len(interactions))
            followed = [deed for deed in done if at < deed.first < until]
            meant = next((acts for acts in options(one.utterance, talk) if borne_out(acts, followed)), None)
            if meant is not None:
                yield Request(one.utterance, _KIND, tuple(meant), tuple(talk[-2:]))
        talk.append(f"{'person' if one.role is Role.COMMANDER else 'robot'}: {one.utterance}")


def borne_out(acts: Sequence[DialogueAct], followed: Sequence[Deed]) -> bool:
    """Whether everything that acts order was done with the things named, and anything was. Walks leave no deeds."""
    orders = [act for act in acts if act.act is Act.ORDER and act.about not in _WALKS]
    return bool(orders) and all(any(_is_done(order, deed) for deed in followed) for order in orders)


def _is_done(order: DialogueAct, deed: Deed) -> bool:
    if order.about == "make":
        made = next((slot.phrase.noun for slot in order.slots if not slot.role), "")
        return deed.instruction.verb is _MADE.get(made)
    if deed.instruction.verb not in _DONE_AS.get(order.about, frozenset()):
        return False
    things, places = ([slot.phrase for slot in order.slots if (slot.role in _PLACES) is at] for at in (False, True))
    if not _are_of(things[:1], deed.object_ids):
        return False
    return not places or deed.instruction.verb is not Verb.PUT or _are_of(places[:1], (deed.where_id,))


def _are_of(named: Sequence[Phrase], ids: Sequence[str]) -> bool:
    """Whether a thing of these ids is of a type that is named."""
    kinds = {kind for phrase in named for kind in kinds_of(phrase.noun)}
    types = {type_from_id(name) for name in ids if name}
    return bool(kinds & {*types, *(one.removesuffix("Sliced").removesuffix("Basin") for one in types)})

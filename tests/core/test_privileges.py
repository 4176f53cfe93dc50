"""What was not declared cannot be had: by a constructor, by an observation, by the seed, by changing what is shared."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.solo.assignment import GROUND_TRUTH, Assignment
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.codec import Codec
from teach_agents.core.context import takes
from teach_agents.core.plugins import Kind, hookimpl
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.core.world import World
from teach_agents.data.edh import read_edh
from teach_agents.errors import MissingParameterError, PluginError, SpecError
from teach_agents.household import Household
from teach_agents.observations import Observation, Privilege
from teach_agents.session import run_session
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.tasks import Task
from tests.conventions.sessions import written
from tests.session.support import scenario

HERE = __name__


class Idle(Agent):
    def act(self, observation: Observation) -> Action:
        return Action.wait()


class Cheat(Idle):
    """Takes what it never declared, and says that it reads nothing."""

    def __init__(self, household: object, future: Sequence[object] = ()) -> None:
        self.household, self.future = household, future


class Hopeful(Idle):
    """Its parameter may stay empty; it would still be told."""

    def __init__(self, household: object = None) -> None:
        self.household = household


@takes("future", "household")
class Silent(Cheat):
    """Declares what it takes, and does not say so in its privileges."""


class Oracle(Silent):
    privileges = frozenset({Privilege.GROUND_TRUTH})


@takes("game", when="ground_truth")
class Asking(Idle):
    def __init__(self, game: str | None = None, ground_truth: bool = False) -> None:
        self.game = game
        self.privileges = frozenset({Privilege.GROUND_TRUTH}) if ground_truth else frozenset()


@takes("household")
class Forgetful(Idle):
    """Says that it reads the truth, but only once."""

    def __init__(self, household: object) -> None:
        self.household, self._asked = household, 0

    @property
    def privileges(self) -> Any:  # type: ignore[override]  # that is the point
        self._asked += 1
        return {Privilege.GROUND_TRUTH} if self._asked == 1 else frozenset()


class Plugin:
    @hookimpl
    def agents(self) -> dict[str, object]:
        return {"cheat": Cheat, "hopeful": Hopeful, "silent": Silent, "oracle": Oracle, "asking": Asking}


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    registry.register(Plugin(), "theirs")
    return registry


CONTEXT: dict[str, Any] = {"household": object(), "future": ("deed",), "game": "file.game.json"}


@pytest.mark.parametrize("name", ["cheat", "hopeful"])
def test_what_a_constructor_did_not_declare_is_refused_with_what_to_declare(registry: Registry, name: str) -> None:
    with pytest.raises(SpecError, match=r"@takes\('household'\).* and the privilege 'ground_truth'|@takes\('future'\)"):
        build("agent", name, registry=registry, seat="follower", **CONTEXT)
    with pytest.raises(SpecError, match=r"declare it by @takes"):
        build("agent", f"{HERE}:{name.title()}", allow_import=True, registry=registry, **CONTEXT)


def test_a_plain_agent_is_made_where_there_is_nothing_to_hand_out(registry: Registry) -> None:
    assert build("agent", "hopeful", registry=registry, seat="follower").spec == "hopeful"
    with pytest.raises(MissingParameterError) as refused:
        build("agent", "cheat", registry=registry, seat="follower")
    assert refused.value.parameter == "household"


@pytest.mark.parametrize("spec", ["silent", f"{HERE}:Silent"])
def test_who_takes_the_truth_says_so_in_its_privileges(registry: Registry, spec: str) -> None:
    with pytest.raises(SpecError, match=r"privileges must say 'ground_truth'; got \['future', 'household'\]"):
        build("agent", spec, allow_import=True, registry=registry, **CONTEXT)


def test_an_oracle_is_handed_what_it_declares_and_nothing_where_the_first_is_lacking(registry: Registry) -> None:
    made: Any = build("agent", "oracle", registry=registry, **CONTEXT)
    assert made.household is CONTEXT["household"] and made.future == ("deed",)
    with pytest.raises(MissingParameterError):
        build("agent", "oracle", registry=registry, household=CONTEXT["household"])


def test_truth_that_a_spec_has_to_ask_for_is_only_then_handed_out(registry: Registry) -> None:
    plain: Any = build("agent", "asking", registry=registry, **CONTEXT)
    asked: Any = build("agent", "asking:ground_truth=true", registry=registry, **CONTEXT)
    assert (plain.game, asked.game) == (None, "file.game.json")


def _grown(found: Iterable[object]) -> Iterable[object]:
    """What can be reached from values in one step: attributes, slots, closures, whatever they hold."""
    for one in found:
        if isinstance(one, FunctionType):
            yield from (one.__closure__ or ())
            yield from (one.__defaults__ or ())
        elif isinstance(one, MethodType | BuiltinFunctionType):
            yield one.__self__
        elif not isinstance(one, type | ModuleType | np.ndarray):
            yield from gc.get_referents(one)


def _reached(start: object) -> list[object]:
    known = {id(start): start}
    edge = [start]
    while edge:
        edge = [one for one in _grown(edge) if id(one) not in known and not known.update({id(one): one})]
    return list(known.values())


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("looked", [False, True])
def test_the_world_cannot_be_reached_from_an_observation(role: Role, looked: bool) -> None:
    household = Household(EmbeddedSimulator(), view_size=64)
    household.reset(scenario("Coffee"))
    household.act(Role.COMMANDER, Action("SearchObject", query="Mug"))
    seen = household.observe(role, frozenset(Privilege))
    if looked:
        assert seen.view.rgb.any() and seen.privileged.segmentation.object_ids and seen.privileged.reachable
        assert seen.privileged.objects and seen.privileged.lasting_objects
    living = [
        type(one).__name__
        for one in _reached(seen)
        if type(one).__module__.startswith(("teach_agents.household", "teach_agents.simulator"))
    ]
    assert living == []
    assert any(isinstance(one, Household) for one in _reached([seen, household.observe]))


def test_who_was_handed_the_truth_is_stated_to_have_it_whatever_it_says_later() -> None:
    household = Household(EmbeddedSimulator())
    forgetful = build("agent", f"{HERE}:Forgetful", allow_import=True, household=household)
    result = run_session(household, forgetful, Idle(), scenario("Coffee"))
    assert list(result.privileges.values()) == [{Privilege.GROUND_TRUTH}, set()]


def test_what_an_agent_reads_is_what_it_declared_when_the_session_began() -> None:
    class Growing(Idle):
        def act(self, observation: Observation) -> Action:
            if observation.turn:
                assert not observation.privileged.objects
            self.privileges = frozenset({Privilege.OBJECTS})
            return Action.wait()

    result = run_session(Household(EmbeddedSimulator(), view_size=64), Idle(), Growing(), scenario("Coffee"))
    assert result.reason.startswith("the follower raised PrivilegeError: privileged information 'objects'")
    assert not any(result.privileges.values())


def test_what_an_agent_changes_in_what_it_sees_is_changed_for_nobody_else() -> None:
    household = Household(EmbeddedSimulator(), view_size=64)
    household.reset(scenario("Coffee"))
    granted = {Privilege.OBJECTS, Privilege.SEGMENTATION, Privilege.DEPTH}
    before = household.snapshot(0.0)
    seen, other = household.observe(Role.FOLLOWER, granted), household.observe(Role.COMMANDER, granted)
    again = household.observe(Role.FOLLOWER, granted)
    for row in (*seen.privileged.lasting_objects, *seen.privileged.objects):
        with pytest.raises(TypeError):
            row["position"]["x"] = 5.0  # type: ignore[index]  # what an agent might try
        for nested in (row["receptacleObjectIds"], row["parentReceptacles"]):
            if nested is not None:
                with pytest.raises((TypeError, AttributeError)):
                    nested.append("Mug")  # type: ignore[attr-defined]  # what an agent might try
    with pytest.raises(TypeError):
        seen.privileged.lasting_objects[0]["isDirty"] = True  # type: ignore[index]  # what an agent might try
    mine = seen.view.rgb.copy()
    ids = again.privileged.segmentation.ids.copy()
    for picture in (seen.view.rgb, seen.privileged.segmentation.ids, seen.privileged.depth):
        picture[:] = 0
    assert other.follower_view is not None and (other.follower_view.rgb == mine).all()
    assert (household.observe(Role.FOLLOWER, granted).view.rgb == mine).all()
    assert (household.observe(Role.FOLLOWER, granted).privileged.segmentation.ids == ids).all()
    assert household.snapshot(0.0) == before


def test_a_reply_that_an_agent_changes_is_recorded_as_it_was() -> None:
    household = Household(EmbeddedSimulator(), view_size=64)
    household.reset(scenario("Coffee"))
    result = household.act(Role.COMMANDER, Action.progress_check())
    shown = household.observe(Role.COMMANDER).last_result
    assert shown == result and shown is not None and shown.reply is not None and result.reply is not None
    shown.reply["subgoals"].clear()  # type: ignore[attr-defined]  # what an agent might do
    assert result.reply["subgoals"]


def test_an_agents_seed_is_its_own() -> None:
    told: dict[Role, Briefing] = {}

    class Told(Idle):
        def begin(self, briefing: Briefing) -> None:
            told[briefing.role] = briefing

        def act(self, observation: Observation) -> Action:
            return Action.stop() if observation.role is Role.FOLLOWER else Action.wait()

    household = Household(EmbeddedSimulator(), view_size=64)
    run_session(household, Told(), Told(), scenario("Coffee"))
    seeds = [told[role].seed for role in Role]
    own = household.scenario.seed
    assert len({*seeds, own}) == 3
    assert random.Random(own).random() not in [random.Random(seed).random() for seed in seeds]
    assert not {"scenario", "household", "task"} & set(Briefing.__dataclass_fields__)


def test_an_instance_is_shown_without_what_people_did_next(tmp_path: Path) -> None:
    (path,) = sorted(written(tmp_path).rglob("*.edh*.json"))[:1]
    instance = read_edh(path)
    shown = Assignment(instance, "a.edh1.json", 300).shown()
    assert not set(GROUND_TRUTH) & set(shown.to_json()) and set(GROUND_TRUTH) & set(instance.to_json())
    assert instance not in _reached(shown)


def test_a_worlds_own_agents_are_looked_up_first_and_only_there(registry: Registry) -> None:
    own = World(
        Codec("elsewhere", instance=Task, actions=[], observation=Observation), {"oracle": {"guard": lambda: Idle()}}
    )
    registry.register(SimpleNamespace(worlds=hookimpl(lambda: {"elsewhere": own})), "elsewhere")
    made = build("agent", "oracle", registry=registry, world="elsewhere", seat="guard")
    assert type(made) is Idle and type(build("agent", "hopeful", registry=registry, world=own)) is Hopeful
    with pytest.raises(SpecError, match="needs a seat it can take; got 'follower'; valid: guard"):
        build("agent", "oracle", registry=registry, world=own, seat="follower")


class Bell:
    """A contract of a plugin's own."""

    def __init__(self, tone: str = "high") -> None:
        self.tone = tone


BELL: Kind[Bell] = Kind("bell", "bells", f"{HERE}:Bell", valued=True)


class Ringing:
    @hookimpl
    def kinds(self) -> list[Kind[Any]]:
        return [BELL]

    @hookimpl
    def bells(self) -> dict[str, object]:
        return {"church": Bell, "none": dict}


def test_a_plugin_declares_kinds_of_its_own(registry: Registry) -> None:
    with pytest.raises(SpecError, match="nothing of this kind"):
        build(BELL, "church", registry=registry)
    registry.register(Ringing(), "ringing")
    assert build(BELL, "church:low", registry=registry).tone == "low"
    assert build("bell", "church", registry=registry, household=CONTEXT["household"]) is not None
    with pytest.raises(SpecError, match="must make what .*:Bell describes"):
        build(BELL, "none", registry=registry)


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        ([Kind("agent", "guards")], "there is a kind or hook like"),
        ([Kind("bell", "agents")], "there is a kind or hook like"),
        (["bell"], "is no Kind"),
    ],
)
def test_kinds_that_cannot_be_are_refused_and_leave_nothing_behind(
    registry: Registry, kinds: list[Any], says: str
) -> None:
    before = list(registry.kinds)
    with pytest.raises(PluginError, match=f"plugin 'odd'.*{says}"):
        registry.register(SimpleNamespace(kinds=hookimpl(lambda: kinds)), "odd")
    assert list(registry.kinds) == before
    registry.register(Ringing(), "ringing")

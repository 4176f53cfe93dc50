from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.plugins import Target, hookimpl
from teach_agents.core.registry import NAME, Registry
from teach_agents.core.specs import Spec, SpecForm, build, parse
from teach_agents.errors import PluginError, SpecError
from teach_agents.observations import Observation


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("planner", {}),
        ("planner:mode=natural", {"mode": "natural"}),
        (
            "lm:model=smollm2,temperature=0.7,n=3,greedy=false",
            {"model": "smollm2", "temperature": 0.7, "n": 3, "greedy": False},
        ),
        ("lm:prompt=\"a, b\",other='it is \\'so\\''", {"prompt": "a, b", "other": "it is 'so'"}),
        ('x:number="3",empty=""', {"number": "3", "empty": ""}),
        ("x:url=http://host:80/path?q=1", {"url": "http://host:80/path?q=1"}),
        ("x: a = 1 , b = two words ", {"a": 1, "b": "two words"}),
        ("x:a=1e3,b=-2,c=.5,d=1e999", {"a": 1000.0, "b": -2, "c": 0.5, "d": "1e999"}),
    ],
)
def test_names_and_parameters_are_read_with_their_types(text: str, parameters: dict[str, object]) -> None:
    spec = parse(text)
    assert spec.form is SpecForm.REGISTERED
    assert spec.parameters == parameters
    assert [type(value) for value in spec.parameters.values()] == [type(value) for value in parameters.values()]


def test_imports_and_addresses_are_told_from_names() -> None:
    assert parse("my.module:Class") == Spec(SpecForm.IMPORTED, "my.module:Class")
    assert parse("https://host:8000/agent") == Spec(SpecForm.REMOTE, "https://host:8000/agent")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a SPEC"),
        ("two words", "not a SPEC"),
        ("planner:", "expected key=value"),
        ("planner:mode=natural,", "expected key=value"),
        ("planner:mode=a,mode=b", "given twice"),
        ("planner:mode=", "needs a value"),
        ('planner:mode="open', "closed"),
        ('planner:mode="a"b', "comma"),
        ('planner:mode=a"b"', "quote"),
        ("planner:3=4", "expected key=value"),
        ("http://", "not a usable address"),
    ],
)
def test_what_is_no_spec_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        parse(text)


_VALUES = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())


@given(st.from_regex(NAME, fullmatch=True), st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), _VALUES))
def test_a_spec_written_reads_back_equal(name: str, parameters: dict[str, bool | int | float | str]) -> None:
    spec = Spec(SpecForm.REGISTERED, name, parameters)
    assert parse(str(spec)) == spec


@dataclass
class Echo(Agent):
    role: Role
    words: str = "hello"
    spec: str = ""

    def act(self, observation: Observation) -> Action:
        return Action.say(self.words)


def wave(observation: Observation) -> Action:
    return Action.wait()


class Plugin:
    @hookimpl
    def agents(self) -> Mapping[str, Target | Mapping[str, Target]]:
        return {"echo": Echo, "listener": {"follower": f"{__name__}:Echo"}, "wrong": dict, "broken": "no.such:Thing"}

    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        return {"mine": lambda: "tasks/mine.json", "failing": lambda: 1 / 0}


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    registry.register(Plugin(), "toy")
    return registry


def test_a_factory_gets_the_parameters_and_the_context_it_knows(registry: Registry) -> None:
    agent = build("agent", "echo:words=hi", registry=registry, role=Role.FOLLOWER, library="unknown to the factory")
    assert agent == Echo(Role.FOLLOWER, "hi", "echo:words=hi")


def test_an_agent_is_refused_a_chair_it_cannot_take(registry: Registry) -> None:
    assert isinstance(build("agent", "listener", registry=registry, role=Role.FOLLOWER), Echo)
    with pytest.raises(SpecError, match="valid: follower"):
        build("agent", "listener", registry=registry, role=Role.COMMANDER)


@pytest.mark.parametrize(
    ("kind", "spec", "error", "says"),
    [
        ("agent", "ecko", SpecError, "did you mean 'echo'"),
        ("agent", "echo:word=hi", SpecError, "did you mean 'words'"),
        ("agent", "echo:role=follower", SpecError, "unknown parameter"),
        ("agent", "wrong", SpecError, "must make what teach_agents.core.agents.contract:Agent describes"),
        ("agent", "broken", PluginError, "plugin 'toy', agent 'broken': cannot import 'no.such:Thing'"),
        ("agent", "https://host/agent", SpecError, "no plugin here registers a agent named 'remote'"),
        ("agent", "echo:hi", SpecError, "only allowed on the command line"),
        ("task", "failing", PluginError, "plugin 'toy', task 'failing': could not be made: ZeroDivisionError"),
        ("agents", "echo", SpecError, "did you mean 'agent'"),
    ],
)
def test_what_cannot_be_built_says_why(
    registry: Registry, kind: str, spec: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        build(kind, spec, registry=registry, role=Role.FOLLOWER)


def test_a_missing_parameter_is_named(registry: Registry) -> None:
    with pytest.raises(SpecError, match="needs the parameter 'role'"):
        build("agent", "echo", registry=registry)


def test_module_and_class_are_imported_where_that_is_allowed(registry: Registry) -> None:
    agent = build("agent", f"{__name__}:Echo", allow_import=True, registry=registry, role=Role.COMMANDER)
    assert isinstance(agent, Echo)
    assert agent.role is Role.COMMANDER
    assert agent.spec == f"{__name__}:Echo"
    assert isinstance(build("agent", f"{__name__}:wave", allow_import=True, registry=registry), Agent)
    with pytest.raises(SpecError, match="did you mean 'Echo'"):
        build("agent", f"{__name__}:Ekho", allow_import=True, registry=registry)
    with pytest.raises(SpecError, match="cannot import module 'tests.plugins.leaving': SystemExit: 3"):
        build("agent", "tests.plugins.leaving:Agent", allow_import=True, registry=registry)
    with pytest.raises(SpecError, match="cannot import module 'nowhere'"):
        build("agent", "nowhere:Agent", allow_import=True, registry=registry)


def test_a_registered_remote_factory_gets_the_address(registry: Registry) -> None:
    class Remote:
        @hookimpl
        def tasks(self) -> Mapping[str, Target]:
            return {"remote": lambda url: f"fetched {url}"}

    registry.register(Remote(), "net")
    assert build("task", "http://host/x", registry=registry) == "fetched http://host/x"

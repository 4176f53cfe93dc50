"""What live sessions may be made of: agents by name, hosts, games; fixed by whoever starts the server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from teach_agents.actions import Role
from teach_agents.benchmarks.tatc.parameters import TASK_DRAWS
from teach_agents.core.agents.contract import Agent
from teach_agents.core.registry import default_registry
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.specs import build, parse
from teach_agents.data.games import game_files
from teach_agents.errors import GameFileError, InputError, SpecError, TeachAgentsError
from teach_agents.household import Scenario
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT
from teach_agents.live import HUMAN, LiveSetting, default_follower, hook_of, make_scenario, sends_to
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.tasks import FREE_PLAY
from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES
from teach_agents.tasks.definitions import Definition
from teach_agents.tasks.substitution import ParameterKind
from teach_agents_serve.limits import public_name, public_spec
from teach_agents_serve.live_wire import (
    AgentChoice,
    GameChoice,
    NewSession,
    Options,
    ParameterChoice,
    RoomChoice,
    TaskChoice,
    TaskExample,
)

_LONGEST_ADDRESS = 256
_NAME = re.compile(r"[\w.-]{1,64}")
_FIRST_ROOM = ROOM_NAMES[0]
_PLANNER = "planner"


@dataclass(frozen=True)
class LiveServing:
    """What sessions of a server are made of, and where they are kept.

    Without a `store` nothing is written to the disk. `agents` are the SPECs by role and the name that requests use;
    `hosts` (`name` or `name:port`) are those whose servers' agents requests may name by address; `games` is a folder of
    TEACh games, which requests name by id. `hooks` are the SPECs of the dialogue hooks that new sessions get; people
    are told of them without addresses and folders.
    """

    store: Path | None
    agents: Mapping[Role, Mapping[str, str]] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    games: Path | None = None
    simulators: tuple[str, ...] = ("embedded",)
    hooks: tuple[str, ...] = ()
    allow_import: bool = False

    def check(self) -> None:
        """Look whether there are such simulators, and games where they should be.

        Raises `SpecError` and `GameFileError`, and what making a hook raises.
        """
        for spec in self.hooks:
            self.hook(spec)
        for simulator in self.simulators:
            default_registry().entry("simulator", parse(simulator, where="--simulator").name)
        _ = self.game_paths

    def agent(self, role: Role, name: str) -> Agent:
        """A fresh agent for a chair. Raises `SpecError` for a name that is not offered, and what making it raises."""
        self.check_chair(role, name)
        known = self.agents.get(role, {})
        return build(AGENT, known.get(name, name), role=role, allow_import=self.allow_import and name in known)

    def sends_to(self, role: Role, name: str) -> str:
        """Who is sent what is said to a chair's agent; "" where it stays on this machine."""
        return sends_to(self.agents.get(role, {}).get(name, name))

    def hook(self, name: str) -> DialogueHook:
        """A dialogue hook, by what sessions call it. Raises what `build` raises."""
        return hook_of({public_spec(one): one for one in self.hooks}.get(name, name), allow_import=self.allow_import)

    def check_chair(self, role: Role, name: str) -> None:
        """Raise `SpecError` unless somebody of that name may take the chair."""
        known = (HUMAN, *self.agents.get(role, {}))
        if name in known:
            return
        try:
            parts = urlsplit(name[:_LONGEST_ADDRESS])
            port = f":{parts.port}"
            host = parts.netloc.lower().removesuffix(port)  # nobody's name or password in it
            named = any(one.lower() in (host, host + port) for one in self.hosts)
            allowed = parts.scheme in ("http", "https") and named
        except ValueError:  # no address at all
            allowed = False
        if not allowed or parts.query or parts.fragment or len(name) > _LONGEST_ADDRESS:
            problem = "is no agent that this server offers, nor an address that it allows"
            raise SpecError(f"the {role}", problem, value=name, valid=known)

    def setting(self, session_id: str, asked: NewSession) -> LiveSetting:
        """What a session is made of; this takes seconds where a room is furnished for a task.

        Raises `InputError` (of which `SceneError`, `DefinitionError` and `SpecError` are) for what there is not.
        """
        chairs = {Role.COMMANDER: asked.commander, Role.FOLLOWER: asked.follower}
        for role, name in chairs.items():
            self.check_chair(role, name)
        simulator = self.simulators[0] if asked.simulator is None else asked.simulator
        if simulator not in self.simulators:
            raise InputError("simulator", "is none of this server's", value=simulator, valid=self.simulators)
        return LiveSetting(
            session_id,
            self._scenario(asked),
            chairs,
            simulator=simulator,
            view_size=asked.view_size,
            pace_s=asked.pace_s,
            reply_s=asked.reply_s,
            hooks=tuple(map(public_spec, self.hooks)),
        )

    def _scenario(self, asked: NewSession) -> Scenario:
        if asked.game is not None:
            if asked.task is not None or asked.room is not None or asked.params:
                raise InputError("game", "brings its task and room; name no other", value=asked.game)
            path = self.game_paths.get(asked.game)
            if path is None:
                raise InputError("game", "is none of this server's", value=asked.game)
            try:
                return make_scenario(game=path)
            except GameFileError:
                raise InputError("game", "cannot be read", value=asked.game) from None
        if asked.task is None and asked.params:
            raise InputError("params", "belong to a task, and none is named", value=asked.params)
        room = asked.room or _FIRST_ROOM
        return make_scenario(asked.task, tuple(asked.params), room, asked.seed)

    @cached_property
    def game_paths(self) -> Mapping[str, Path]:
        """The games there are, by id."""
        if self.games is None:
            return {}
        return {path.name.partition(".")[0]: path for path in game_files(self.games)}

    def options(self, limits: Mapping[str, float], *, token_needed: bool) -> Options:
        """What sessions can be made of, in words."""
        return Options(
            version=version("teach-agents"),
            token_needed=token_needed,
            agents={role: self._offered(role) for role in Role},
            allowed_hosts=list(self.hosts),
            tasks=_tasks(),
            object_types=sorted(OBJECT_TYPES),
            object_classes=sorted(OBJECT_CLASSES),
            rooms=[
                RoomChoice(name=name, kind=kind_of(name), number=int(name.removeprefix("FloorPlan")))
                for name in ROOM_NAMES
            ],
            games=[GameChoice(name=name) for name in sorted(self.game_paths)],
            simulators=list(self.simulators),
            limits=dict(limits),
        )

    def _offered(self, role: Role) -> list[AgentChoice]:
        known = {HUMAN: "A person"} | {name: public_spec(spec) for name, spec in self.agents[role].items()}
        return [AgentChoice(name=name, description=words) for name, words in known.items()]


def offered(named: Sequence[str], *, commander: str = "", follower: str = "") -> dict[Role, dict[str, str]]:
    """Who may take which chair: agents as NAME=SPEC, and the SPECs that are served, by their names.

    An agent takes the chairs that it can be made for. Without any, the planner does, and before it the default
    Follower. Raises `InputError` for what is no NAME=SPEC, and what making an agent raises that fits no chair.
    """
    found: dict[Role, dict[str, str]] = {role: {} for role in Role}
    for role, spec in ((Role.COMMANDER, commander), (Role.FOLLOWER, follower)):
        if spec and _problem(role, spec) is None:
            found[role][public_name(spec)] = spec
    for one in named:
        name, equals, spec = one.partition("=")
        if not equals or not spec or name == HUMAN or not _NAME.fullmatch(name):
            raise InputError("--agent", f"must be NAME=SPEC, with a NAME other than {HUMAN!r}", value=one)
        problems = [_problem(role, spec) for role in Role]
        for role, problem in zip(Role, problems, strict=True):
            if problem is None:
                found[role][name] = spec
            elif None not in problems:
                raise problem
    if any(found.values()):
        return found
    usual = default_follower().spec
    return {
        Role.COMMANDER: {_PLANNER: _PLANNER},
        Role.FOLLOWER: {public_name(usual): usual, _PLANNER: _PLANNER},
    }


def _problem(role: Role, spec: str) -> TeachAgentsError | None:
    """Why an agent cannot take a chair."""
    try:
        build(AGENT, spec, role=role, allow_import=True)
    except TeachAgentsError as error:
        return error
    return None


def _tasks() -> list[TaskChoice]:
    library = installed_tasks()
    found = []
    for name in library.names:
        if name == FREE_PLAY:
            continue
        draws = TASK_DRAWS.get(name, ())
        examples = [
            TaskExample(
                params=list(one.params), words=library.task(name, one.params).description, rooms=list(one.rooms)
            )
            for one in draws
        ]
        kinds = library.parameter_kinds(name)
        definition = library.definition(name)
        params = [
            _parameter(f"#{index}", kind, definition, [one.params[index] for one in draws])
            for index, kind in enumerate(kinds)
        ]
        found.append(TaskChoice(name=name, description=definition.desc, params=params, examples=examples))
    return found


def _parameter(name: str, kind: ParameterKind, of: Definition, known: list[str]) -> ParameterChoice:
    choices = list(dict.fromkeys(known))
    shown: Literal["object", "count", "choice", "text"] = "choice" if choices else "text"
    if kind is not ParameterKind.TEXT:
        shown = "count" if kind is ParameterKind.COUNT else "object"
    default = choices[0] if choices else ""
    meaning = of.param_notes.get(name) or kind.value
    return ParameterChoice(name=name, meaning=meaning, kind=shown, default=default, choices=choices)

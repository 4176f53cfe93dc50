"""`teach-agents worker`: one session over several processes, of this machine or of several."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import replace
from inspect import getdoc
from pathlib import Path
from signal import SIGTERM
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from teach_agents.actions import Role
from teach_agents.cli.options import RUNNING, WHO, Options, expanded, option, pictures_named
from teach_agents.core.json_types import JsonMapping

if TYPE_CHECKING:
    from teach_agents.household import Household, Scenario
    from teach_agents.session import DialogueHook


_BUS = "TEACH_AGENTS_BUS"
_WHERE = "Where workers meet"
_WHAT = "What is played"

app = typer.Typer(
    no_args_is_help=True,
    help="Hold one session over several processes, each of which may die and be replaced. They meet at a Redis.\n\n"
    "A session needs an environment, a commander, a follower and a recorder; start them in any order, on any machine "
    "that reaches the Redis. `all` starts the four here and replaces whoever dies. See docs/bus.md.",
)

_Bus = Annotated[
    str,
    option(
        "Address of the Redis: redis://HOST:PORT/DB, redis://:PASSWORD@HOST:PORT/DB, rediss://... or unix://PATH. A "
        "password is better given by the variable, which no list of processes shows.",
        _WHERE,
        envvar=_BUS,
    ),
]
_Session = Annotated[str, option("Name of the session: the same for its four workers.", _WHERE)]
_Outage = Annotated[float, option("Seconds to wait for a Redis that does not answer.", _WHERE, min=0.1)]
_Views = Annotated[
    str,
    option(
        "Pictures that are drawn and sent for the agent: all, none, or names with commas between them (view, "
        "follower_view, target_view, target_lit, overhead). An agent that looks at none is quicker with none.",
        WHO,
    ),
]
_Record = Annotated[
    Path, option("The session's record, which teach-agents replay reads; gone on with where it exists.", RUNNING)
]
_Json = Annotated[bool, option("Print the result as JSON.", RUNNING, "--json")]


class _Setting(Options):
    """What a session is made of, and what it may take."""

    game: Annotated[Path | None, option("TEACh game file: play its task from its initial state.", _WHAT)] = None
    task: Annotated[str, option("Task, as NAME or NAME:p0,p1,..., in a room furnished for it.", _WHAT)] = "Coffee"
    room: Annotated[str, option("The room for --task.", _WHAT)] = "FloorPlan1"
    seed: Annotated[int, option("Seed of the room and of the agents.", _WHAT)] = 0
    hook: Annotated[list[str] | None, option("SPEC of a dialogue hook; may be repeated.", _WHAT)] = None
    simulator: Annotated[str, option("SPEC of the simulator.", WHO)] = "embedded"
    view_size: Annotated[
        int, option("Width and height of pictures in pixels; TEACh's models are given 900.", RUNNING, min=16, max=4096)
    ] = 300
    max_turns: Annotated[int, option("Turns after which the session ends.", RUNNING, min=1)] = 1000
    max_failures: Annotated[int, option("Failed actions of either agent that end the session.", RUNNING, min=1)] = 30
    call_time_limit: Annotated[
        float,
        option(
            "Seconds for one answer of an agent, in which an agent that died must have been replaced.",
            RUNNING,
            min=0.1,
        ),
    ] = 120.0
    arrival: Annotated[
        float, option("Seconds for an agent to get ready, and for any worker to come.", RUNNING, min=0.1)
    ] = 300.0
    remind: Annotated[
        bool,
        option(
            "An agent that was replaced is asked on the turns so far once more, so that it goes on as its predecessor "
            "would have; where it answers otherwise, and with --resume-agents at once, it is begun as resumed, with "
            "the dialogue so far.",
            RUNNING,
            "--remind/--resume-agents",
        ),
    ] = True

    def scenario(self) -> Scenario:
        """What is played; raises what is wrong with it."""
        from teach_agents.live import make_scenario

        if self.game is not None:
            return replace(make_scenario(game=self.game), seed=self.seed)
        name, _, parameters = self.task.partition(":")
        return make_scenario(name, list(filter(None, parameters.split(","))), self.room, self.seed)

    def household(self) -> Household:
        """A household to play in."""
        from teach_agents.core.specs import build
        from teach_agents.household import Household
        from teach_agents.installed import installed_tasks
        from teach_agents.kinds import SIMULATOR

        made = build(SIMULATOR, self.simulator, allow_import=True)
        return Household(made, installed_tasks(), view_size=self.view_size)

    def hooks(self) -> list[tuple[str, DialogueHook]]:
        """The hooks by their SPECs."""
        from teach_agents.core.specs import build
        from teach_agents.kinds import DIALOGUE_HOOK

        return [(spec, build(DIALOGUE_HOOK, spec, allow_import=True)) for spec in self.hook or ()]


_THERE_S = 3.0
"""So long four workers that are started together wait for a Redis; each then waits as long as it is told."""
_REDIS = "redis://127.0.0.1:6379/0"


def play(
    context: typer.Context,
    session: _Session,
    bus: _Bus = _REDIS,
    agent: Annotated[str, option("SPEC of the agent: name[:key=value,...] or module:Class.", WHO)] = "planner",
    views: _Views = "all",
    outage: _Outage = 60.0,
) -> None:
    """Play the {title} of a session until it is over.

    [bold]Example[/bold]

      teach-agents worker {role} --session s1 --agent {agent}
    """
    from teach_agents.conventions.agent_wire import PICTURES
    from teach_agents.core.specs import build
    from teach_agents.errors import InputError
    from teach_agents.kinds import AGENT
    from teach_agents.workers import run_agent

    role, seen = Role(str(context.info_name)), pictures_named(views)
    for name in seen:
        if name not in PICTURES:
            raise InputError("--views", "no such picture", value=name, valid=("all", "none", *PICTURES))
    made = build(AGENT, agent, allow_import=True, role=role)
    _run(lambda: run_agent(made, role, bus, session, views=seen, outage=outage))


for _role, _agent in (
    (Role.COMMANDER, "planner --views none"),
    (Role.FOLLOWER, "lm:model=smollm2 --bus redis://10.0.0.5:6379/0"),
):
    _help = (getdoc(play) or "").format(title=_role.title(), role=_role, agent=_agent)
    app.command(_role.value, help=_help)(play)


@app.command()
def recorder(session: _Session, record: _Record, bus: _Bus = _REDIS, outage: _Outage = 60.0) -> None:
    """Keep the record of a session until it is over.

    The session goes on when a line is in the file, and is gone on with from there by whatever environment comes next.

    [bold]Example[/bold]

      teach-agents worker recorder --session s1 --record runs/s1.jsonl
    """
    from teach_agents.workers import run_recorder

    _run(lambda: run_recorder(record, bus, session, outage=outage))


@app.command()
@expanded
def environment(
    *, session: _Session, bus: _Bus = _REDIS, setting: _Setting, as_json: _Json = False, outage: _Outage = 60.0
) -> None:
    """Hold a session: the household, whose turn it is, when it is over.

    Where the recorder knows the session already, it is gone on with behind the last turn that was kept, and what is
    said here of task and room does not count. Exits with status 3 when an agent crashed or was late, and with 75 when
    Redis or a worker was away: started again, it goes on.

    [bold]Example[/bold]

      teach-agents worker environment --session s1 --task Coffee --room FloorPlan7
    """
    from teach_agents.household import Limits
    from teach_agents.session import Timeouts
    from teach_agents.workers import Plan, run_environment

    plan = Plan(
        session,
        setting.scenario,
        setting.household,
        Limits(max_turns=setting.max_turns, max_failures=setting.max_failures),
        Timeouts(begin_s=setting.arrival, act_s=setting.call_time_limit),
        setting.hooks,
        setting.remind,
    )
    _told(_run(lambda: run_environment(plan, bus, outage=outage)), as_json)


@app.command("all")
@expanded
def all_four(  # noqa: PLR0913  # one option a parameter
    *,
    record: _Record,
    session: Annotated[str, option("Name of the session; by default the record's file name.", _WHERE)] = "",
    bus: _Bus = _REDIS,
    commander: Annotated[str, option("SPEC of the Commander.", WHO)] = "planner",
    follower: Annotated[str, option("SPEC of the Follower: name[:key=value,...] or module:Class.", WHO)] = "planner",
    views: _Views = "all",
    setting: _Setting,
    restarts: Annotated[
        int, option("How often each worker is replaced before the session is left unfinished.", RUNNING, min=0)
    ] = 20,
    as_json: _Json = False,
    outage: _Outage = 60.0,
) -> None:
    """Hold a session over four processes of this machine, and replace whoever dies.

    The same command goes on with a session that was left unfinished.

    [bold]Examples[/bold]

      teach-agents worker all --record runs/s1.jsonl --task Coffee --room FloorPlan7

      teach-agents worker all --record runs/s2.jsonl --bus unix:///run/redis.sock --follower lm:model=smollm2
    """
    workers: dict[str, dict[str, object]] = {
        "recorder": {"record": record},
        "commander": {"agent": commander, "views": views},
        "follower": {"agent": follower, "views": views},
        "environment": {**vars(setting), "resume_agents": not setting.remind, "json": as_json},
    }
    shared = {"session": session or record.stem, "outage": outage}
    commands = {name: [name, *_words({**shared, **options})] for name, options in workers.items()}
    _run_all(commands, bus, restarts, outage)


def _words(options: Mapping[str, object]) -> Iterator[str]:
    """Options as a command line has them; `None` and false ones are not there."""
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                yield f"--{name.replace('_', '-')}"
                yield from () if one is True else (str(one),)


def _run_all(commands: Mapping[str, list[str]], bus: str, restarts: int, outage: float) -> NoReturn:
    """Run workers under a supervisor, once there is a Redis; leaves with its exit status."""
    from teach_agents.workers import Supervisor, reach

    _run(lambda: reach(bus, outage=min(outage, _THERE_S)))
    begin = [sys.executable, "-c", "from teach_agents.cli.main import main; main()", "worker"]
    supervisor = Supervisor(
        {name: [*begin, *words] for name, words in commands.items()},
        variables={**os.environ, _BUS: bus},
        restarts=restarts,
        told=lambda text: typer.echo(text, err=True),
    )
    try:
        status = asyncio.run(supervisor.run())
    except asyncio.CancelledError:
        status = 128 + SIGTERM
    raise typer.Exit(status)


def _run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a worker; exits with 75 where Redis or another worker is away, so that it can be started again."""
    from teach_agents.core.session.context import Unfinished
    from teach_agents.errors import BusError, BusReplacedError
    from teach_agents.workers.supervisor import AWAY

    try:
        return asyncio.run(work())
    except BusReplacedError:
        raise
    except (BusError, Unfinished) as error:
        typer.echo(f"teach-agents: {error}", err=True)
        raise typer.Exit(AWAY) from error


def _told(result: JsonMapping, as_json: bool) -> None:
    """Print a result; exits with 3 for a session that broke."""
    from teach_agents.session import EndReason
    from teach_agents.workers.supervisor import BROKEN

    if as_json:
        typer.echo(json.dumps(result))
    else:
        how = "success" if result["success"] else "no success"
        typer.echo(f"{result['session_id']}: {how} after {result['turns']} turns ({result['reason']})")
    if EndReason(result["end_reason"]).broken:
        raise typer.Exit(BROKEN)

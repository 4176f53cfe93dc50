"""One TATC episode, played in a worker process: from an instance to its line in `episodes.jsonl`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs, costs_of, spent
from teach_agents.benchmarks.filmstrip import Filmstrip
from teach_agents.benchmarks.tatc.instances import ShownGame, TatcInstance, TatcSettings
from teach_agents.benchmarks.tatc.records import game_path, goals_in, record_path
from teach_agents.core.agents.contract import Agent
from teach_agents.core.benchmark.engines import once_per_seat
from teach_agents.core.benchmark.playing import made_hooks
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.specs import build
from teach_agents.data import Game, read_game, write_game
from teach_agents.errors import InputError, SceneError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT, SIMULATOR
from teach_agents.session import (
    DialogueHook,
    Session,
    SessionResult,
    Timeouts,
    TurnRecord,
    game_of,
    read_record,
    to_game,
)
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import TaskLibrary

_ATTEMPTS_PER_ROOM = 8
_KEPT = "turns end_reason actions utterances failures agents privileges provenance hooks".split()
"""What a line has of its session's result."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What is played, and what a person needed for it; `rejections` counts initial states that were not solvable."""

    scenario: Scenario
    reference_length: int | None = None
    rejections: Mapping[str, int] = field(default_factory=dict)


def play(payload: JsonMapping) -> JsonObject:
    """Play one episode as `play_session` does, from JSON: `instance`, `settings`, `folder` and `pictures`."""
    instance, settings = TatcInstance.from_json(payload["instance"]), TatcSettings.from_json(payload["settings"])
    return play_session(instance, settings, Path(payload["folder"]), pictures=payload["pictures"])


def play_session(instance: TatcInstance, settings: TatcSettings, folder: Path, *, pictures: bool) -> JsonObject:
    """Play one episode and return its JSON line.

    A session that an agent crashed or hung still yields its line, with that status and the reason; what is raised
    here (a game that cannot be read, an unknown SPEC) fails the episode as a crash in the runner.
    """
    household = _household(settings.simulator, settings.view_size, settings.add_tasks)
    prepared = _prepare(instance, household.library)
    filmstrip = Filmstrip() if pictures else None
    record = record_path(folder, instance.instance_id)
    agents = {role: make_agent(role, settings, instance, household) for role in Role}
    session = Session(
        household,
        *agents.values(),
        limits=Limits(max_turns=settings.max_turns, max_failures=settings.max_failures),
        timeouts=Timeouts(act_s=settings.call_time_limit_s),
        record=record,
    )
    witness = _Witness(household, filmstrip)
    session.with_hook(witness)
    for spec, hook in made_hooks(settings.hooks):
        session.with_hook(hook, spec)
    result = asyncio.run(session.run(prepared.scenario))
    if filmstrip:
        filmstrip.finish()
        filmstrip.write(folder, instance.instance_id)
    costs = {role: (witness.costs(role) + spent(agent)).to_json() for role, agent in agents.items()}
    line = {**_line(instance, prepared, result, household), "costs": costs}
    game, differences = _game(record, household, None if result.end_reason.broken else witness)
    write_game(game, game_path(folder, instance.instance_id))
    return {**line, "replay_differences": list(differences)}


class _Witness(DialogueHook):
    """Keeps the state in which a session begins and its turns, for its game file, and takes its pictures."""

    stamped = False

    def __init__(self, household: Household, filmstrip: Filmstrip | None) -> None:
        self._household = household
        self._filmstrip = filmstrip
        self._turns: list[TurnRecord] = []

    def begin(self, session_id: str, seed: int) -> None:
        self._session_id = session_id
        self._beginning = self._household.state_record(0.0)
        self._watch()

    def turn_executed(self, record: TurnRecord) -> None:
        self._turns.append(record)
        self._watch()

    def _watch(self) -> None:
        if self._filmstrip:
            self._filmstrip.watch(self._household, len(self._turns))

    def costs(self, role: Role) -> Costs:
        """What a role's turns cost, but for what its agent says of models."""
        return costs_of([turn.done[role] for turn in self._turns], role)

    def game(self) -> Game:
        """The session's game; the household stands at its end."""
        return game_of(self._session_id, self._turns, self._household, self._beginning)


def _game(record: Path, household: Household, witness: _Witness | None) -> tuple[Game, tuple[str, ...]]:
    """A session's game, and where it parts from what happened.

    A session that ended by itself has left the household where its last turn ended. One that broke off may have done
    part of a turn (then there is no `witness`): its record is played again.
    """
    if witness is not None:
        return witness.game(), ()
    game, report = to_game(read_record(record), household)
    return game, report.differences


@once_per_seat
def _household(simulator: str, view_size: int, add_tasks: tuple[str, ...]) -> Household:
    """One household a seat, for one session after the other: its pictures' meshes and buffers are used again."""
    made = build(SIMULATOR, simulator, allow_import=True)
    return Household(made, installed_tasks(add_tasks), view_size=view_size)


def make_agent(role: Role, settings: TatcSettings, instance: TatcInstance, household: Household | None = None) -> Agent:
    """The agent of a chair, as an instance needs it. Raises what `specs.build` raises.

    A factory that declares so gets `game` and `household`: what may read them is an oracle, and says so.
    """
    spec = settings.commander if role is Role.COMMANDER else settings.follower
    shown = ShownGame.of(instance.game, household)
    game = instance.game or None
    return build(AGENT, spec, allow_import=True, role=role, game=game, household=household, instance=shown)


def scenario_of(instance: TatcInstance, library: TaskLibrary) -> Scenario:
    """What an instance plays. Raises `InputError` where no state of its rooms can be solved."""
    return _prepare(instance, library).scenario


def _prepare(instance: TatcInstance, library: TaskLibrary) -> _Prepared:
    if not instance.game:
        return _generated(instance, library)
    game = read_game(Path(instance.game))
    seeded = replace(Scenario.from_game(game), seed=instance.seed)
    return _Prepared(seeded, reference_length=len(game.episode.interactions))


def _generated(instance: TatcInstance, library: TaskLibrary) -> _Prepared:
    """The first of the instance's rooms in which its seed gives a solvable state."""
    from teach_agents.simulator.embedded.solvability import generate

    task = library.task(instance.task_name, list(instance.task_params))
    rejections: Counter[str] = Counter()
    for room in instance.rooms:
        try:
            made = generate(room, task, instance.seed, attempts=_ATTEMPTS_PER_ROOM)
        except SceneError:
            raise
        except InputError:
            rejections["no solvable state of the room was found"] += 1
            continue
        rejections.update(made.rejections)
        scene = Scene(room=made.room, randomize=True)
        scenario = Scenario(instance.instance_id, instance.task_name, instance.task_params, scene, made.seed)
        return _Prepared(scenario, rejections=dict(rejections))
    raise InputError(
        f"instance {instance.instance_id!r}",
        f"no solvable initial state of task {instance.task_name!r} in {len(instance.rooms)} rooms",
        value=", ".join(instance.task_params),
    )


def _line(instance: TatcInstance, prepared: _Prepared, result: SessionResult, household: Household) -> JsonObject:
    broken = result.end_reason.broken
    session = result.to_json()
    return {
        "instance_id": instance.instance_id,
        "status": result.end_reason.value if broken else "done",
        "reason": result.reason + (f"\n{result.details}" if result.details else ""),
        "task_name": result.task,
        "task_params": list(result.task_params),
        "room": prepared.scenario.room,
        "seed": result.seed,
        "simulator": result.simulator,
        "success": result.success,
        "initial": goals_in(session["initial_progress"]),
        "final": goals_in(session["progress"]),
        "length": sum(result.actions.values()),
        "reference_length": prepared.reference_length,
        **{key: session[key] for key in _KEPT},
        "rejections": dict(prepared.rejections),
        "dialogue": [{"speaker": str(said.speaker), "text": said.text} for said in household.dialogue],
    }

"""An instance of a benchmark that plays in a world, carried through: from agents' SPECs to a record to be scored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from teach_agents.core.agents.contract import Briefing, provenance_of
from teach_agents.core.benchmark.costs import Costs, decided, spent, talk
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.benchmark.lookup import make_agents
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.environment import Environment, Judged
from teach_agents.core.errors import RecordError
from teach_agents.core.values import Say

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark, Setup
    from teach_agents.core.benchmark.stored import StoredRun

__all__ = ["Step", "played", "played_again", "read_steps"]


def played(benchmark: Benchmark[Any, Any], instance: Any, setup: Setup) -> dict[str, Any]:
    """Play an instance in the benchmark's world, and tell what became of it, as JSON.

    | key | holds |
    |---|---|
    | `status`, `reason`, `end_reason`, `turns`, `success` | how the session ended, and the final verdict |
    | `initial`, `final` | the world's verdicts, where it is judged |
    | `steps` | in order, each action with `seat`, `turn`, what came of it, its `cost` and `trace` |
    | `agents`, `privileges`, `provenance`, `hooks`, `seed`, `world`, `marked` | what it is of |
    | `costs` | talk, decisions and model calls by seat |
    """
    seed = instance_seed(setup.seed, instance.instance_id)
    agents = make_agents(benchmark, instance, setup)
    record = _held(benchmark.environment(), instance, agents, seed)
    if setup.folder is not None:
        write_atomically(_path(setup.folder, instance.instance_id), json.dumps(record, allow_nan=False) + "\n")
    return record


def _held(world: Environment[Any, Any, Any], instance: Any, agents: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The session of an instance, turn by turn."""
    world.reset(instance, seed)
    initial = dict(world.judge()) if isinstance(world, Judged) else {}
    for seat, agent in agents.items():
        agent.begin(Briefing(instance.instance_id, seat, seed))  # type: ignore[arg-type]  # a seat is a text
    steps: list[dict[str, Any]] = []
    turn = 0
    while not world.status().over:
        may = world.status().may_act or world.seats
        seen = {seat: world.observe(seat, agents[seat].privileges) for seat in may if seat in agents}
        for seat, action in [(seat, agents[seat].act(one)) for seat, one in seen.items()]:
            result = world.act(seat, action)
            told = {"success": result.success, "message": result.message, "cost": result.cost}
            written = world.codec.action_to_json(action)
            steps.append({"turn": turn, "seat": seat, "action": written, **told, "trace": dict(result.trace)})
        turn += 1
    final = dict(world.judge()) if isinstance(world, Judged) else {}
    return {
        "status": "done",
        "reason": world.status().over,
        "end_reason": world.status().end,
        "turns": turn,
        "success": bool(final.get("success")),
        "initial": initial,
        "final": final,
        "seed": seed,
        "agents": {seat: agent.spec or type(agent).__name__ for seat, agent in agents.items()},
        "privileges": {seat: sorted(agent.privileges) for seat, agent in agents.items()},
        "provenance": {seat: provenance_of(agent) for seat, agent in agents.items()},
        "hooks": [],
        "world": {"name": world.codec.world, "version": world.codec.version, **world.about()},
        "costs": {seat: (_costs(seat, steps) + spent(agent)).to_json() for seat, agent in agents.items()},
        "marked": False,
        "steps": steps,
    }


def _costs(seat: str, steps: list[dict[str, Any]]) -> Costs:
    own = [step for step in steps if step["seat"] == seat]
    said = (step["action"]["text"] for step in own if step["action"] and step["action"]["type"] == Say.__name__)
    return talk(said) + decided(step["thought"] for step in own if step.get("thought"))


def _path(folder: Path, instance_id: str) -> Path:
    """Where the folder of a run keeps an instance's record."""
    return folder / "records" / f"{quote(instance_id, safe=' ')}.json"


def _read(run: StoredRun, instance_id: str) -> dict[str, Any] | None:
    path = _path(run.folder, instance_id)
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RecordError(str(path), f"cannot be read: {error}") from error
    return found


def played_again(benchmark: Benchmark[Any, Any], run: StoredRun, line: Mapping[str, Any]) -> dict[str, Any] | None:
    """A line scored again from the record of its session; `None` where there is none, or none of its end.

    Raises `RecordError` for a damaged record.
    """
    record = _read(run, line["instance_id"])
    if record is None or record["status"] != line["status"] or line["status"] != "done":
        return None
    scores = {name: float(value) for name, value in benchmark.score(record).items()}
    return {**line, "success": bool(scores.get("success", record["success"])), "scores": scores}


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a session: what was done, or said, and what came of it."""

    number: int
    seat: str
    action: Mapping[str, Any] | None
    success: bool
    message: str
    thought: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """What kind of action it was."""
        return "no action" if self.action is None else str(self.action["type"])

    @property
    def said(self) -> str | None:
        """What was said, where it was heard."""
        return str(self.action["text"]) if self.action and self.name == Say.__name__ and self.success else None

    @property
    def words(self) -> str:
        """The whole action in words."""
        told = (str(value) for name, value in (self.action or {}).items() if name != "type" and value not in ("", None))
        return " ".join((self.name, *told))


def read_steps(run: StoredRun, instance_id: str) -> tuple[Step, ...]:
    """What was done in an instance; nothing where there is no record of it. Raises `RecordError` for a damaged one."""
    return tuple(_steps(_read(run, instance_id) or {}))


def _steps(record: Mapping[str, Any]) -> Iterator[Step]:
    for one in record.get("steps", ()):
        yield Step(one["turn"], one["seat"], one["action"], one["success"], one["message"], one.get("thought"))

"""What was done in a live session: actions carried out, judged, counted and kept; its journal's lines, its record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from teach_agents.actions import Action, ActionKind, ActionResult, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.context import Clock, SessionContext, Timeouts
from teach_agents.core.session.episode import Answer, Episode
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.record import SessionRecord, first_line, line_of, reenact
from teach_agents.core.session.result import End
from teach_agents.core.specs import build
from teach_agents.errors import RecordError, explained
from teach_agents.household import Household, Limits
from teach_agents.installed import installed_tasks
from teach_agents.kinds import SIMULATOR
from teach_agents.live.events import EventKind, LiveEvent, Told, actor_of, events_of
from teach_agents.live.setting import LiveSetting
from teach_agents.observations import Observation, Privilege
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.format import TEACH_FORMAT, Done, RecordHeader, SessionResult, TurnRecord, traced
from teach_agents.tasks import TaskLibrary


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a journal: events that are told together, and the turn that they tell of.

    `key` is the name that the person in `role` gave to what was done; `result` is how the session ended.
    """

    events: tuple[LiveEvent, ...]
    turn: TurnRecord | None = None
    key: str = ""
    role: Role | None = None
    result: JsonMapping | None = None

    def to_json(self) -> JsonObject:
        """The JSON form, without absent parts."""
        line: JsonObject = {"events": [event.to_json() for event in self.events]}
        if self.turn:
            line["turn"] = TEACH_FORMAT.turn_to_json(self.turn)
        if self.key and self.role:
            line |= {"key": self.key, "role": self.role.value}
        if self.result:
            line["result"] = dict(self.result)
        return line

    @classmethod
    def from_json(cls, line: JsonMapping) -> Line:
        """Read `to_json`'s form. Raises `RecordError` for anything else."""
        try:
            events = tuple(map(LiveEvent.from_json, line["events"]))
            turn = TEACH_FORMAT.turn_from_json(line["turn"]) if "turn" in line else None
            role = Role(line["role"]) if "role" in line else None
            return cls(events, turn, str(line.get("key", "")), role, line.get("result"))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError("journal", f"a line is damaged: {explained(error)}") from error


def household_for(setting: LiveSetting, library: TaskLibrary | None = None) -> Household:
    """The household that a session is held in, not furnished yet. Raises `SpecError` for an unknown simulator."""
    simulator = build(SIMULATOR, setting.simulator)
    return Household(simulator, library or installed_tasks(), view_size=setting.view_size)


def header_of(setting: LiveSetting, simulator: str, privileges: Mapping[Role, Iterable[str]]) -> RecordHeader:
    """A record's first line; the simulator by its own name."""
    found = {role: tuple(map(str, privileges.get(role, ()))) for role in Role}
    size = setting.view_size
    chairs = {role: setting.chairs[role] for role in Role}
    about = {"simulator": simulator, "view_size": size, "click_size": size}
    scenario = setting.scenario
    return RecordHeader(setting.session_id, scenario, scenario.seed, about, chairs, found, setting.hooks)


def record_of(setting: LiveSetting, lines: Iterable[JsonMapping]) -> SessionRecord:
    """The record of a session, from its journal's lines; with a result once it has ended.

    Raises `RecordError` for lines that are none.
    """
    read = [Line.from_json(line) for line in lines]
    events = [event for line in read for event in line.events]
    simulator = next((one.data["simulator"] for one in events if one.kind is EventKind.BEGAN), setting.simulator)
    privileges = {role: sorted(found) for role, found in granted_in(events).items()}
    turns = tuple(line.turn for line in read if line.turn)
    result = next((line.result for line in read if line.result), None)
    return SessionRecord(Path(), header_of(setting, simulator, privileges), turns, result, 0)


def granted_in(events: Iterable[LiveEvent]) -> dict[Role, frozenset[Privilege]]:
    """What each chair has read beyond TEACh's screens, by what was told of it. Raises `RecordError` for nonsense."""
    found: dict[Role, frozenset[Privilege]] = dict.fromkeys(Role, frozenset())
    for event in events:
        if event.kind is EventKind.JOINED and event.role and "privileges" in event.data:
            try:
                found[event.role] |= frozenset(map(Privilege, event.data["privileges"]))
            except (TypeError, ValueError) as error:
                raise RecordError("journal", f"event {event.seq} is damaged: {error}") from error
    return found


def write_record(record: SessionRecord, path: Path) -> None:
    """Write a record: whoever looks sees the old file, or the whole new one. Raises `RecordError` where none can be."""
    lines = [first_line(TEACH_FORMAT, record.header), *map(TEACH_FORMAT.turn_to_json, record.turns)]
    lines += [{"result": dict(record.result)}] if record.result else []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, "".join(f"{line_of(one)}\n" for one in lines))
    except OSError as error:
        raise RecordError(path, f"cannot be written: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody wants to do, or an agent's answer that was no action.

    `key` is a person's name for it, by which it is known again; `seconds` is how long an agent thought, `answers_ms`
    when what it answers was said, in milliseconds of the session.
    """

    role: Role
    answer: Answer
    key: str = ""
    seconds: float | None = None
    answers_ms: int | None = None

    @property
    def brief(self) -> bool:
        """Whether it is done in no time, where the simulator is brisk."""
        return self.answer.action is None or self.answer.action.type.kind in _BRIEF


_BRIEF = frozenset({ActionKind.MOTION, ActionKind.KEYBOARD})
_WAITED = Action.wait()


class _Stamp(Clock):
    """The time that whoever publishes has told."""

    time_ms = 0

    def now_ms(self, turn: int, place: int = 0, places: int = 1) -> int:
        """That time."""
        return self.time_ms


class Ledger:
    """One session's turns. The household stands at its beginning; whoever calls has it to himself.

    In a turn of live play one role acts; for the other the record holds that it waited. What hooks raise is raised as
    `Over`.
    """

    def __init__(self, setting: LiveSetting, household: Household, hooks: Sequence[DialogueHook] = ()) -> None:
        self._setting = setting
        self._household = household
        self._agents: dict[Role, Agent] = {}
        self._clock = _Stamp()
        self._environment = HouseholdEnvironment(household, Limits.live())
        context = SessionContext(
            session_id=setting.session_id,
            environment=self._environment,
            instance=setting.scenario,
            seed=setting.scenario.seed,
            agents=self._agents,
            timeouts=Timeouts.live(),
            clock=self._clock,
            hooks=tuple(zip(setting.hooks, hooks, strict=True)),
        )
        self._episode = Episode(context, digests=True)
        self._episode.judged_first()
        self.hooks = self._episode.hooks
        """They are called where the household is."""
        self.tally = self._episode.tally
        self.last: dict[Role, Done] = {}
        """What a role did last."""
        self.last_actor: Role | None = None
        """Whose turn the last one was."""
        self._granted: dict[Role, frozenset[Privilege]] = dict.fromkeys(Role, frozenset())
        self.turns: list[TurnRecord] = []
        self.check: Done | None = None
        """The Commander's last progress check."""
        self.search: Done | None = None
        """The Commander's last search that found something."""

    def seat(self, role: Role, agent: Agent) -> None:
        """An agent is ready in its chair."""
        self._agents[role] = agent
        self.grant(role, agent.privileges)

    def grant(self, role: Role, privileges: frozenset[Privilege]) -> frozenset[Privilege] | None:
        """Note that a chair reads these, which the result states: all that it reads; `None` where none is new."""
        before = self._granted[role]
        known = self._granted[role] = before | privileges
        return known if known != before else None

    def begin(self) -> None:
        """Tell the hooks that the session begins, or goes on."""
        self.hooks.begin(self._setting.session_id, self._setting.scenario.seed, self.turns)

    def chosen(self, role: Role, observation: Observation, answer: Answer) -> Answer:
        """An agent's answer as the hooks leave it: they know what was said while it thought."""
        if answer.action is None:
            return answer
        seen = replace(self._episode.perceived(role, observation), dialogue=self._household.dialogue)
        return self._episode.changed(role, seen, answer)

    @property
    def utterances(self) -> int:
        """What was said so far, by either role."""
        return len(self._household.dialogue)

    def carry_out(self, deed: Deed, time_ms: int) -> tuple[TurnRecord, list[Told]]:
        """Do it: the turn, which counts once it is kept, and what is told of it.

        Raises `SimulatorError` and the like where the simulator is broken.
        """
        household, role = self._household, deed.role
        self._clock.time_ms, before = time_ms, held_type(household)
        acted: Done = self._episode.execute(role, deed.answer)
        poses = {Role.COMMANDER: household.commander, Role.FOLLOWER: household.simulator.state.agent}
        waited = ActionResult(True, _WAITED.name)
        done = {one: Done(_WAITED, waited, time_ms, traced(pose)) for one, pose in poses.items()} | {role: acted}
        turn: TurnRecord = self._episode.turn_of(done)
        return turn, events_of(turn, held_type(household), deed.seconds, before=before)

    def keep(self, turn: TurnRecord) -> None:
        """A turn that was carried out counts."""
        self.turns.append(turn)
        self._episode.count(turn)
        role = self.last_actor = actor_of(turn)
        done = self.last[role] = turn.done[role]
        name = done.action.name if done.action else ""
        if name == "OpenProgressCheck" and done.result.reply is not None:
            self.check = done
        elif name in ("SearchObject", "SelectOid") and done.result.success:
            self.search = done

    def take_up(self, turns: Sequence[TurnRecord]) -> None:
        """Carry out the turns of a session that goes on. Raises `RecordError` when they lead elsewhere now."""
        for number, turn in enumerate(turns):
            if turn.turn != number:
                raise RecordError("journal", f"expected turn {number}", value=turn.turn)
        record = replace(self.record(None), turns=tuple(turns))
        differences = reenact(self._environment, record)
        if differences:
            raise RecordError("journal", f"the session cannot go on: {differences[0]}")
        for turn in turns:
            self.keep(turn)

    def header(self) -> RecordHeader:
        """The record's first line."""
        name = self._household.simulator.name
        return header_of(self._setting, name, {role: sorted(self._granted[role]) for role in Role})

    def record(self, result: SessionResult | None) -> SessionRecord:
        """All of it, as if it had been read from a file."""
        told = result.to_json(timed=False) if result else None
        return SessionRecord(Path(), self.header(), tuple(self.turns), told, 0)

    def result(self, end: End, told: JsonMapping | None = None) -> SessionResult:
        """How it ended, judged on the state as it is now; of a result that was `told` earlier no hook hears."""
        self._episode.judged_last()
        found = self._result(end)
        if told is None:
            stamps, failure = self.hooks.ended(found)
            found = found if failure is None or end.broken else self._result(failure)
        else:
            stamps = tuple((hook["name"], hook["notes"]) for hook in told.get("hooks", ()))
        return replace(found, hooks=stamps)

    def _result(self, end: End) -> SessionResult:
        return TEACH_FORMAT.result(self.header(), self._agents, self.tally, end, self._episode.verdicts)


def held_type(household: Household) -> str | None:
    """The type of the object in the Follower's hand."""
    state = household.simulator.state
    return state.objects[state.held].object_type if state.held else None

"""The household as a world with two seats: TEACh's rules of turns, failures and ends."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from hashlib import blake2b
from itertools import compress, count
from operator import attrgetter, is_not
from typing import TYPE_CHECKING, Any

from teach_agents.actions import OBJECT_ACTIONS, Action, ActionResult, Role
from teach_agents.core.environment import GOES_ON, Environment, Spaced, Status
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import Event, Utterance
from teach_agents.household import Household, Limits, Scenario
from teach_agents.observations import Observation, Pose, Privilege
from teach_agents.session.codec import TEACH, AnyAction, as_action
from teach_agents.session.format import GOALS, TEACH_FORMAT, TeachFormat, counts_of, traced
from teach_agents.simulator.contract import ObjectState
from teach_agents.tasks import Progress

if TYPE_CHECKING:
    from teach_agents.session.spaces import HouseholdSpaces


_ENDS: Mapping[Role, tuple[str, str]] = {Role.COMMANDER: ("Finish", "finished"), Role.FOLLOWER: ("Stop", "stopped")}
_NEVER: tuple[ActionResult, Pose | None, ActionResult] = (ActionResult(False), None, ActionResult(False))
"""What was told of a result, at a pose, before there was any."""
_INTERACTIONS = frozenset(OBJECT_ACTIONS)
_ROLES: Mapping[str, Role] = {role: role for role in Role}
_STANDARD = Limits()


class HouseholdEnvironment(Environment[Scenario, Action, Observation], Spaced):
    """A household in which a Commander and a Follower act. Instances are scenarios.

    An episode is over when the Commander chooses Finish or the Follower Stop, when either has failed as often as
    `limits` allow, or when so many turns were taken: as many as the role that acted most often has acted. Where
    `judged`, the goal conditions are checked after every interaction, and an event says so when they have changed.
    """

    codec = TEACH
    seats = tuple(Role)
    finishes_turns = True
    privileges = {
        Privilege.SEGMENTATION: "object ids of the pixels of one's own view",
        Privilege.DEPTH: "metric depth of the pixels of one's own view",
        Privilege.OBJECTS: "the state of every object of the room",
        Privilege.REACHABLE: "the grid positions that a body can stand on",
        Privilege.GROUND_TRUTH: "what people did, or what is judged",
    }

    def __init__(self, household: Household, limits: Limits = _STANDARD, *, judged: bool = True) -> None:
        self.household = household
        self.limits = limits
        self._limits = limits.max_turns or math.inf, limits.max_failures or math.inf
        self._judged = judged
        self.stands_ready()

    def stands_ready(self) -> None:
        """Begin an episode where the household stands now."""
        self._digest = StateDigest(self.household)
        self._progress: Progress | None = None
        self._over = GOES_ON
        self._time_ms = 0
        self._interacted = False
        self._acted = dict.fromkeys(Role, 0)
        self._failed_before = dict(self.household.failures)
        self._told: dict[Role, tuple[ActionResult, Pose | None, ActionResult]] = {}

    @property
    def form(self) -> TeachFormat:
        """TEACh's records."""
        return TEACH_FORMAT

    def about(self) -> JsonMapping:
        """The simulator by its own name, and the sizes of pictures and clicks, in pixels."""
        household = self.household
        return {
            "simulator": household.simulator.name,
            "view_size": household.view_size,
            "click_size": household.click_size,
        }

    def reset(self, instance: Scenario, seed: int) -> Sequence[Event]:
        """Load a scenario. Raises `SceneError` and `DefinitionError`."""
        self.household.reset(instance if instance.seed == seed else replace(instance, seed=seed))
        self.stands_ready()
        return ()

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Observation:
        """What a role sees; its turn counts how often it has acted."""
        role = _ROLES[seat]
        return self.household.observe(role, privileges, turn=self._acted[role])  # type: ignore[arg-type]  # named as the world names them

    def act(self, seat: str, action: AnyAction) -> ActionResult:
        """Carry out an action of a role, as `Household.act`."""
        role, household = _ROLES[seat], self.household
        known = as_action(role, action)
        result = household.act(role, known, self._time_ms)
        self._acted[role] += 1
        events: tuple[Event, ...] = ()
        if isinstance(known, Action):
            wish, end = _ENDS[role]
            if known.name == wish and self._over is GOES_ON:
                self._over = Status(f"the {role} chose {wish}", end)
            elif known.name in _INTERACTIONS:
                self._interacted = True
                events = self._goals() if self._judged else ()
        pose = household.commander if role is Role.COMMANDER else household.simulator.state.agent
        done, stood, told = self._told.get(role, _NEVER)
        if events or told.events or done is not result or stood is not pose:
            parts = result.success, result.message, result.help, result.object_id, result.reply
            told = ActionResult(*parts, trace=told.trace if stood is pose else traced(pose), events=events)
            self._told[role] = result, pose, told
        return told

    def _goals(self) -> tuple[Event, ...]:
        """The goal conditions after an interaction, if they changed."""
        before, self._progress = self._progress, self.household.progress()
        now = counts_of(self._progress)
        return () if before is not None and now == counts_of(before) else (Event(GOALS, now),)

    def belongs(self, seat: str, action: Any) -> bool:
        """Whether an action is one of a role's."""
        return not isinstance(action, Action) or action.allowed_for(Role(seat))

    @property
    def failures(self) -> dict[Role, int]:
        """Each role's failed actions since the episode began."""
        return {role: self.household.failures[role] - self._failed_before[role] for role in Role}

    def status(self) -> Status:
        """How it stands: ended by wish first, then by the limits."""
        if self._over is GOES_ON:
            most_turns, most_failures = self._limits
            if max(self.household.failures.values()) >= most_failures:
                failures = self.failures  # fewer than that, where some were before the episode
                if (failed := self.limits.over_failed(failures)) is not None:
                    self._over = Status(f"the {failed} failed {failures[failed]} times", "failure_limit")
            if self._over is GOES_ON and (turns := max(self._acted.values())) >= most_turns:
                self._over = Status(f"{turns} turns were taken", "turn_limit")
        return self._over

    def close(self) -> None:
        """Release the simulator."""
        self.household.simulator.close()

    # abilities

    def stamp(self, time_ms: int) -> None:
        """What is said next is said at this time."""
        self._time_ms = time_ms

    def overhear(self, utterance: Utterance) -> None:
        """Somebody from neither chair has spoken."""
        self.household.hear(utterance)

    def hint(self, seat: str, text: str) -> None:
        """A role finds this in its last result's help."""
        self.household.hint(_ROLES[seat], text)

    def judge(self) -> Progress:
        """The task checked on the present state."""
        self._progress = self.household.progress()
        return self._progress

    def digest(self) -> str:
        """Everything that can change."""
        interacted, self._interacted = self._interacted, False
        return self._digest.now(interacted=interacted)

    @cached_property
    def _spaces(self) -> HouseholdSpaces:
        from teach_agents.session.spaces import HouseholdSpaces

        return HouseholdSpaces(self.household.view_size)

    def spaces(self, seat: str) -> tuple[Any, Any]:
        """The spaces of a role's observations and actions (extra `gym`)."""
        return self._spaces.spaces(seat)

    def to_space(self, seat: str, observation: Observation) -> JsonObject:
        """An observation as a value of its space."""
        return self._spaces.to_space(seat, observation)

    def from_space(self, seat: str, value: object) -> Action:
        """The action that a value of the action space stands for. Raises `InputError` for none."""
        return self._spaces.from_space(seat, value)


_CHANGING = attrgetter(*(field.name for field in fields(ObjectState) if field.name != "kind"))
"""Everything of an object but what never changes about it."""


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf8"), digest_size=8).digest()


class StateDigest:
    """Digests of one household. Objects are immutable values, so only those that changed are hashed again."""

    def __init__(self, household: Household) -> None:
        self._household = household
        self._present: list[ObjectState] = []
        self._parts: list[bytes] = []
        self._all = b""
        self._custom = b""

    def now(self, *, interacted: bool = True) -> str:
        """The digest of the present state, 16 hexadecimal digits.

        It covers every object, TEACh's custom properties, the hand, the Follower's body and the Commander's camera.
        With `interacted` false the custom properties, which only interactions change, are taken from the last digest.
        """
        state = self._household.simulator.state
        if interacted or not self._custom:
            self._custom = _hash(repr(sorted(self._household.custom_properties.items())))
        present = list(state.objects.values())
        if len(present) != len(self._present):
            self._parts = [_digest_of(obj) for obj in present]
            self._all = b"".join(self._parts)
        elif changed := [*compress(count(), map(is_not, present, self._present))]:
            for number in changed:
                self._parts[number] = _digest_of(present[number])
            self._all = b"".join(self._parts)
        self._present = present
        rest = repr((state.held, state.agent, self._household.commander))
        return blake2b(self._all + self._custom + rest.encode("utf8"), digest_size=8).hexdigest()


def _digest_of(obj: ObjectState) -> bytes:
    return _hash(repr((obj.object_id, _CHANGING(obj))))

"""A recorded TEACh session carried out again on any simulator (specification 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teach_agents.actions import Action
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction
from teach_agents.household import Household, Scenario
from teach_agents.observations import same_pose
from teach_agents.tasks import Progress

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class GameReplay:
    """What became of a recorded session's successful actions.

    Of `executed` actions, `as_recorded` did at once what they did then: motions ended at the recorded pose, clicks
    acted on the recorded object. `clicked_again` needed a click elsewhere on the object, `forced` were carried out on
    the object by id, `strayed` motions ended elsewhere, `failed` did not work in any way; `problems` names the first
    of these. `progress` is the task on the state reached, `recorded_progress` on the file's final state.
    """

    executed: int
    as_recorded: int
    clicked_again: int
    forced: int
    strayed: int
    failed: int
    problems: tuple[str, ...]
    progress: Progress
    recorded_progress: Progress


def replay_game(game: Game, household: Household) -> GameReplay:
    """Carry out what succeeded in a game, from its initial state on.

    Failed actions are skipped and motions are carried out by name, as the reference does. A click that acts on another
    object than then is tried again elsewhere on the recorded object, and at last the object is acted on by id. Raises
    `SceneError` or `DefinitionError` when the session cannot be set up.
    """
    household.reset(Scenario.from_game(game))
    counts = dict.fromkeys(("as_recorded", "clicked_again", "forced", "strayed", "failed"), 0)
    problems: list[str] = []
    for interaction in game.episode.interactions:
        action = recorded_as_action(interaction) if interaction.success else None
        if action is None:
            continue
        outcome, why = _again(household, interaction, action)
        counts[outcome] += 1
        if outcome in ("strayed", "failed"):
            problems.append(f"{interaction.time_start:.1f} s: {interaction.action} {outcome}: {why}")
    return GameReplay(
        executed=sum(counts.values()),
        **counts,
        problems=tuple(problems[:_SHOWN]),
        progress=household.progress(),
        recorded_progress=household.task.check(game.episode.final_state.objects),
    )


def _again(household: Household, interaction: Interaction, action: Action) -> tuple[str, str]:
    if isinstance(interaction, ObjectInteraction):
        return _interact(household, interaction, action)
    result = household.act(interaction.role, action, int(interaction.time_start * 1000))
    if not result.success:
        return "failed", result.message
    if isinstance(interaction, Motion) and (pose := interaction.pose) is not None:
        reached = household.simulator.state.agent
        if not same_pose(reached, pose):
            return "strayed", f"at {_place(reached.position)}, recorded {_place(pose.position)}"
    return "as_recorded", ""


def _interact(household: Household, interaction: ObjectInteraction, action: Action) -> tuple[str, str]:
    """The recorded click if it would choose the recorded object; else another click on it; else by id."""
    time_ms = int(interaction.time_start * 1000)
    wanted = interaction.object_id
    if wanted is None or household.aimed_at(action) == wanted:
        result = household.act(interaction.role, action, time_ms)
        if result.success:
            return "as_recorded", ""
        if wanted is None:
            return "failed", result.message
    if wanted not in household.simulator.state.objects:
        return "failed", f"there is no object {wanted} here"
    point = household.click_for(wanted, action.name)
    if point is not None:
        result = household.act(interaction.role, Action.click(action.name, *point), time_ms)
        if result.success:
            return "clicked_again", ""
    result = household.force(action.name, wanted)
    return ("forced", "") if result.success else ("failed", result.message)


def _place(position: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in position) + ")"

"""A session carried out again without any help, until the end, noting where it first parts from the record."""

from __future__ import annotations

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.benchmarks.fidelity.poses import same_pose
from teach_agents.benchmarks.fidelity.rows import Divergence, ReplayMode, UnaidedReplay
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction
from teach_agents.household import Household, Scenario


def replay_unaided(game: Game, household: Household, mode: ReplayMode) -> UnaidedReplay:
    """Carry out a session's motions by name and its clicks at the recorded points (specification 6.4), unrepaired.

    In mode `successes` recorded failures are skipped, as TEACh's own replay does. Raises `SceneError` or
    `DefinitionError` when the session cannot be set up.
    """
    household.reset(Scenario.from_game(game))
    executed = followed = 0
    first: tuple[int, Divergence] | None = None
    pose_exact = True
    pose = household.simulator.state.agent
    for index, interaction in enumerate(game.episode.interactions):
        if isinstance(interaction, Motion) and interaction.role is Role.FOLLOWER:
            pose = interaction.pose or pose
        action = _action(interaction, mode)
        if action is None:
            continue
        executed += 1
        result = household.act(Role.FOLLOWER, action, int(interaction.time_start * 1000))
        here = same_pose(household.simulator.state.agent, pose)
        pose_exact &= here
        kind = _difference(interaction, result, here)
        if first is None and kind is not None:
            first = index, kind
        followed += first is None
    index_of, kind_of = first or (None, None)
    return UnaidedReplay(household.progress().success, executed, followed, pose_exact, index_of, kind_of)


def _action(interaction: Interaction, mode: ReplayMode) -> Action | None:
    if interaction.role is not Role.FOLLOWER or not isinstance(interaction, Motion | ObjectInteraction):
        return None
    if mode is ReplayMode.SUCCESSES and not interaction.success:
        return None
    return recorded_as_action(interaction)


def _difference(interaction: Interaction, result: ActionResult, here: bool) -> Divergence | None:
    if result.success != bool(interaction.success):
        return Divergence.SUCCESS
    wanted = interaction.object_id if isinstance(interaction, ObjectInteraction) else None
    if wanted and result.object_id != wanted:
        return Divergence.OBJECT
    return None if here else Divergence.POSE

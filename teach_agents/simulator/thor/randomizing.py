"""Randomised initial states: drawn by the embedded simulator, then brought about by AI2-THOR's own actions.

So a seed means the same state on either simulator, its objects are known by the same ids, and what the solvability
filter found solvable is what is played. (TEACh's collectors let AI2-THOR draw: TEACh specification 5.7.)
"""

from __future__ import annotations

from teach_agents.simulator.contract import Scene, StoredState
from teach_agents.simulator.metadata import object_metadata


def randomized_state(scene: Scene, seed: int) -> StoredState:
    """The state that a randomised scene begins in. Raises `SceneError` as the embedded simulator does."""
    from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

    simulator = EmbeddedSimulator()
    simulator.reset(scene, seed=seed)
    state = simulator.state
    rows = [object_metadata(obj) for obj in state.objects.values()]
    return StoredState(state.room, rows, state.agent, None if scene.stored is None else scene.stored.commander)

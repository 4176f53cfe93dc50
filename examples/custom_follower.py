"""A Follower of your own: it turns until its view shows what was named, walks up to it and picks it up.

python examples/custom_follower.py [THING]
"""

import sys

import numpy as np

import teach_agents as ta


class Fetcher(ta.Agent):
    """Reads which object each pixel of its view shows; every result states that privilege."""

    privileges = frozenset({ta.Privilege.SEGMENTATION})

    def act(self, seen: ta.Observation) -> ta.Action:
        wanted, last = seen.heard(), seen.last_result
        if last is not None and last.object_id is not None:
            return ta.Action.stop()
        shown = seen.privileged.segmentation
        matching = [index for index, name in enumerate(shown.object_ids) if name.startswith(f"{wanted}|")]
        rows, columns = np.nonzero(np.isin(shown.ids, matching))
        if not len(rows):
            return ta.Action("Turn Right")
        if last is not None and "too far away" in last.message:
            return ta.Action("Forward")
        middle = len(rows) // 2
        height, width = shown.ids.shape
        return ta.Action.click("Pickup", float(columns[middle] / width), float(rows[middle] / height))


household = ta.Household(ta.EmbeddedSimulator())
commander = ta.ScriptedAgent([ta.Action.say(sys.argv[1] if len(sys.argv) > 1 else "Mug")])
scenario = ta.Scenario("fetch", "Coffee", (), ta.Scene("FloorPlan1"))
result = ta.run_session(household, commander, Fetcher(), scenario, limits=ta.Limits(max_turns=60))
print(f"{result.reason}; {result.turns} turns; in the hand: {household.simulator.state.held}")

"""Watch a session: the Follower's view as an animated GIF, and what the two said.

python examples/watch_session.py [OUT.gif]
"""

import sys

from PIL import Image

from teach_agents import Action, Agent, Briefing, Observation, PlannerFollower, Utterance, play

OUT = sys.argv[1] if len(sys.argv) > 1 else "session.gif"


class Watched(Agent):
    """The planner's Follower, and every picture it could have looked at."""

    def __init__(self, agent: PlannerFollower) -> None:
        self.agent, self.privileges = agent, agent.privileges
        self.frames: list[Image.Image] = []
        self.dialogue: tuple[Utterance, ...] = ()

    def begin(self, briefing: Briefing) -> None:
        self.agent.begin(briefing)

    def act(self, seen: Observation) -> Action:
        self.frames.append(Image.fromarray(seen.view.rgb))
        self.dialogue = seen.dialogue
        return self.agent.act(seen)


follower = Watched(PlannerFollower())
result = play("Coffee", room="FloorPlan7", follower=follower)
follower.frames[0].save(OUT, save_all=True, append_images=follower.frames[1:], duration=250, loop=0)
for said in follower.dialogue:
    print(f"{said.time_ms / 1000:6.1f} s {said.speaker:>9}: {said.text}")
print(f"{'complete' if result.success else 'not complete'} after {result.turns} turns, which {OUT} shows")

"""A model written for TEACh's inference runner, not for this package, as a Follower here.

python examples/teach_model.py
teach-agents edh --instances EDH_INSTANCES --follower teach-model:module=teach_model,class=SampleModel,args=--seed 3
"""

import argparse
import random

MOTIONS = ["Forward", "Backward", "Turn Left", "Turn Right", "Look Up", "Look Down", "Pan Left", "Pan Right"]
CLICKS = ["Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour"]


class SampleModel:
    """Any action, anywhere. A click is (ROW, COLUMN), as fractions of the picture."""

    def __init__(self, process_index: int, num_processes: int, model_args: list[str]) -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("--seed", type=int, default=1)
        self.draw = random.Random(parser.parse_args(model_args).seed)

    def start_new_edh_instance(self, edh_instance, edh_history_images, edh_name=None):
        return True

    def get_next_action(self, img, edh_instance, prev_action, img_name=None, edh_name=None):
        action = self.draw.choice(["Stop", *MOTIONS, *CLICKS])
        return action, (self.draw.random(), self.draw.random()) if action in CLICKS else None


if __name__ == "__main__":
    import teach_agents as ta

    result = ta.play("Coffee", room="FloorPlan7", commander="silent", follower="teach_model:SampleModel")
    print(f"{result.reason}; {result.turns} turns; {result.failures['follower']} failed actions")

"""Models as other people write them for TEACh, without a word of this package."""

from __future__ import annotations

import argparse
import random

__all__ = ["Keeper", "Late", "Sample", "Scripted", "Unready"]

MOTIONS = ["Forward", "Backward", "Turn Left", "Turn Right", "Look Up", "Look Down", "Pan Left", "Pan Right"]
OBJECT_ACTIONS = ["Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour"]


class Sample:
    """Any action, anywhere, as TEACh's own sample model does."""

    def __init__(self, process_index, num_processes, model_args):  # type: ignore[no-untyped-def]  # not ours
        parser = argparse.ArgumentParser()
        parser.add_argument("--seed", type=int, default=1)
        self.draw = random.Random(parser.parse_args(model_args).seed)

    def start_new_edh_instance(self, edh_instance, edh_history_images, edh_name=None):  # type: ignore[no-untyped-def]
        return True

    def get_next_action(self, img, edh_instance, prev_action, img_name=None, edh_name=None):  # type: ignore[no-untyped-def]
        action = self.draw.choice(["Stop", *MOTIONS, *OBJECT_ACTIONS])
        if action in OBJECT_ACTIONS:
            return action, (self.draw.uniform(0, 0.99), self.draw.uniform(0, 0.99))
        return action, None


class Keeper:
    """Keeps everything that it is given, turns twice, clicks, and stops; an old signature without names."""

    def __init__(self, process_index, num_processes, model_args):  # type: ignore[no-untyped-def]
        self.made = (process_index, num_processes, model_args)
        self.began = []
        self.asked = []

    def start_new_edh_instance(self, edh_instance, edh_history_images, edh_name=None):  # type: ignore[no-untyped-def]
        self.began.append((edh_instance, edh_history_images, edh_name))
        self.asked = []
        return 1

    def get_next_action(self, img, edh_instance, prev_action, img_name=None, edh_name=None):  # type: ignore[no-untyped-def]
        self.asked.append((img, dict(edh_instance), prev_action, img_name, edh_name))
        return [("Turn Left", None), ("Pickup", [0.2, 0.8]), ("Stop", None)][min(len(self.asked) - 1, 2)]


class Scripted:
    """Answers with what its arguments say, in Python: `"Fly", None ; "Stop", None`."""

    def __init__(self, process_index, num_processes, model_args):  # type: ignore[no-untyped-def]
        self.answers = [eval(one) for one in " ".join(model_args).split(";")]

    def start_new_edh_instance(self, edh_instance, edh_history_images):  # type: ignore[no-untyped-def]
        self.turn = -1
        return True

    def get_next_action(self, img, edh_instance, prev_action):  # type: ignore[no-untyped-def]
        self.turn += 1
        return self.answers[self.turn]


class Unready(Sample):
    """Forgets to say that it is ready."""

    def start_new_edh_instance(self, edh_instance, edh_history_images, edh_name=None):  # type: ignore[no-untyped-def]
        return None


class Late(Sample):
    """Breaks down when it is made."""

    def __init__(self, process_index, num_processes, model_args):  # type: ignore[no-untyped-def]
        argparse.ArgumentParser().parse_args(["--unknown"])

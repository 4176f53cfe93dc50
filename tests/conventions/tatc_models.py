"""Pairs as other people write them for the TATC challenge, without a word of this package."""

from __future__ import annotations

import copy

__all__ = ["Pair", "Silent", "Unready"]


class Pair:
    """Keeps what it is given. The Commander checks, speaks, flies; the Driver turns, clicks, speaks, stops."""

    made = 0

    def __init__(self, process_index, num_processes, model_args):  # type: ignore[no-untyped-def]  # not ours
        type(self).made += 1
        self.games = []

    def start_new_tatc_instance(self, game):  # type: ignore[no-untyped-def]
        self.games.append(game)
        self.commander, self.driver = [], []
        return True

    def get_next_action_commander(self, commander_inputs, game, commander_img_name, instance_file):  # type: ignore[no-untyped-def]
        self.commander.append((copy.deepcopy(commander_inputs), game, commander_img_name, instance_file))
        return [
            {"action": "OpenProgressCheck", "obj_cls": None, "utterance": None},
            {"action": "Text", "obj_cls": None, "utterance": "make coffee"},
            {"action": "SearchObject", "obj_cls": "Mug", "utterance": None},
            {"action": "Forward", "obj_cls": None, "utterance": None},
            {"action": "Pickup", "obj_cls": "Mug", "utterance": None},
            {"action": "NoOp", "obj_cls": None, "utterance": None},
        ][min(len(self.commander) - 1, 5)]

    def get_next_action_driver(self, driver_inputs, game, driver_img_name, instance_file):  # type: ignore[no-untyped-def]
        self.driver.append((copy.deepcopy(driver_inputs), game, driver_img_name, instance_file))
        return [
            {"action": "NoOp", "predicted_click": None, "utterance": None},
            {"action": "Turn Left", "predicted_click": None, "utterance": None},
            {"action": "Text", "predicted_click": None, "utterance": "with a mug?"},
            {"action": "Pickup", "predicted_click": [0.0, 0.99], "utterance": None},
            {"action": "Jump", "predicted_click": None, "utterance": None},
            {"action": "Stop", "predicted_click": None, "utterance": None},
        ][len(self.driver) - 1]


class Silent(Pair):
    """Has TEACh's methods too, as the challenge's own models do."""

    def start_new_edh_instance(self, edh_instance, edh_history_images, edh_name=None):  # type: ignore[no-untyped-def]
        return True

    def get_next_action(self, img, edh_instance, prev_action, img_name=None, edh_name=None):  # type: ignore[no-untyped-def]
        return "Stop", None


class Unready(Pair):
    """Is never ready."""

    def start_new_tatc_instance(self, game):  # type: ignore[no-untyped-def]
        return False

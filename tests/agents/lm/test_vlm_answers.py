"""What vision-language models say, read as actions."""

from __future__ import annotations

import json

import pytest

from teach_agents.actions import FOLLOWER_ACTIONS, OBJECT_ACTIONS, Action
from teach_agents.agents.lm.vlm_answers import LONGEST, ActionAnswer, Scale, fraction_of
from teach_agents.errors import ModelReplyError

SIZE = (400, 300)


def read(text: str, scale: Scale = Scale.AUTO) -> Action:
    return ActionAnswer(scale, SIZE).read(text)


@pytest.mark.parametrize(
    ("scale", "point", "expected"),
    [
        (Scale.AUTO, (0.25, 0.5), (0.25, 0.5)),
        (Scale.AUTO, (0.0, 1.0), (0.0, pytest.approx(1.0))),
        (Scale.AUTO, (25, 50), (0.25, 0.5)),
        (Scale.AUTO, (100, 0), (pytest.approx(1.0), 0.0)),
        (Scale.AUTO, (250, 500), (0.25, 0.5)),
        (Scale.FRACTION, (1.0, 0.5), (pytest.approx(1.0), 0.5)),
        (Scale.PERCENT, (0.5, 50), (0.005, 0.5)),
        (Scale.THOUSANDTHS, (80, 90), (0.08, 0.09)),
        (Scale.PIXELS, (100, 75), (0.25, 0.25)),
    ],
)
def test_points_are_read_on_their_scale(
    scale: Scale, point: tuple[float, float], expected: tuple[float, float]
) -> None:
    x, y = fraction_of(point, scale, SIZE)
    assert (x, y) == expected and 0 <= x < 1 and 0 <= y < 1


@pytest.mark.parametrize(
    ("scale", "point"),
    [
        (Scale.AUTO, (1.2, 0.4)),
        (Scale.AUTO, (-0.1, 0.4)),
        (Scale.AUTO, (50, -3)),
        (Scale.AUTO, (1500, 200)),
        (Scale.FRACTION, (25, 50)),
        (Scale.PERCENT, (120, 50)),
        (Scale.THOUSANDTHS, (0, 1001)),
        (Scale.PIXELS, (390, 310)),
    ],
)
def test_points_outside_the_picture_are_refused(scale: Scale, point: tuple[float, float]) -> None:
    with pytest.raises(ModelReplyError, match="lies outside the picture"):
        fraction_of(point, scale, SIZE)
    with pytest.raises(ModelReplyError, match="lies outside the picture"):
        read(json.dumps({"action": "Pickup", "point": point, "say": ""}), scale)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"action": "Pickup", "point": [0.5, 0.25], "say": ""}', Action.click("Pickup", 0.5, 0.25)),
        (
            'Sure! ```json\n{"action": "pick_up", "point": {"x": 0.5, "y": 0.25}}\n```',
            Action.click("Pickup", 0.5, 0.25),
        ),
        ('{"action": "Toggle On", "point": "(50%, 25%)"}', Action.click("ToggleOn", 0.5, 0.25)),
        ('{"action": "Open", "bbox_2d": [400, 200, 600, 300]}', Action.click("Open", 0.5, 0.25)),
        ('{"action": "Slice", "point_2d": [[500, 250]]}', Action.click("Slice", 0.5, 0.25)),
        ('{"action": "Turn Left", "point": [9, 9], "say": "I turn."}', Action("Turn Left")),
        ('{"action": "move ahead"}', Action("Forward")),
        ('{"action": "Text", "point": null, "say": " Where is\\nthe mug? "}', Action.say("Where is the mug?")),
        ('{"action": "wait"}', Action.wait()),
        ('{"action": "done", "point": null, "say": ""}', Action.stop()),
        ("Look Down.", Action("Look Down")),
        ('"LookDown"', Action("Look Down")),
    ],
)
def test_answers_become_actions(text: str, action: Action) -> None:
    assert read(text) == action


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I'm sorry, but I can't help with that.", "holds no JSON"),
        ("A kitchen with a white fridge, a wooden table and two chairs.", "holds no JSON"),
        ("", "holds no JSON"),
        ("{" * 50_000, "holds no JSON"),
        ("Pickup", "needs its point"),
        ('{"action": "Pickup", "point": null, "say": "got it"}', "needs its point"),
        ('{"action": "Pickup", "point": [0.5]}', "needs its point"),
        ('{"action": "Pickup", "point": ["a", true]}', "needs its point"),
        ('{"action": "Pickup", "point": [1e300, 1]}', "needs its point"),
        ('{"action": "Text", "point": null, "say": "  "}', "needs the words"),
        ('{"action": "Teleport", "point": null, "say": ""}', "there is no action 'Teleport'"),
        ('{"action": 3}', "does not fit"),
        ('["Pickup", 0.5, 0.5]', "does not fit"),
        ('{"point": [0.5, 0.5]}', "does not fit"),
        ("拿起杯子", "holds no JSON"),
    ],
)
def test_whatever_is_no_action_says_why(text: str, why: str) -> None:
    with pytest.raises(ModelReplyError, match=why):
        read(text)


def test_what_is_said_is_bounded() -> None:
    said = read(json.dumps({"action": "Text", "point": None, "say": "mug " * 500}))
    assert len(said.utterance) <= LONGEST


@pytest.mark.parametrize("scale", list(Scale))
def test_what_a_constrained_model_may_say_is_an_action(scale: Scale) -> None:
    """What fits the schema is read, but for clicks without a point and talk without words."""
    answer = ActionAnswer(scale, SIZE)
    number = answer.schema["properties"]["point"]["anyOf"][0]["items"]
    assert number["maximum"] == {"percent": 100, "thousandths": 1000, "pixels": 400}.get(scale.value, 1)
    for name in FOLLOWER_ACTIONS:
        point = [number["minimum"], number["minimum"]] if name in OBJECT_ACTIONS else None
        assert answer.read(json.dumps({"action": name, "point": point, "say": "words"})).name == name

"""Prohibitions that end when what they wait for is reported, and those that hold on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.prohibition_ends import asked_of, ended, ended_ahead
from tests.agents.dialogue.talking import Room

_HOMEWORK = "don't give me my phone until my homework is finished, however much I whine"
_PAINT = "Fresh paint on the cabinet doors! Don't open any of them before it's dry."
_CLEANING = "I'm in the middle of cleaning. Don't go in the fridge and don't go in the cupboards."
_STOVE = "Hands off the stove, it's not safe."


@pytest.mark.parametrize(
    ("said", "report", "over"),
    [
        (_HOMEWORK, "all of my homework is done", True),
        (_HOMEWORK, "maths is finished, and that was all of my homework", True),
        (_HOMEWORK, "maths is finished, history isn't yet", False),
        (_HOMEWORK, "my homework is nearly finished", False),
        (_PAINT, "Had a feel of it and the paint is dry.", True),
        (_PAINT, "it's dry now", True),
        ("Nobody uses the kettle until I've descaled it.", "right, it's descaled", True),
        ("Leave the bread until dinner", "dinner's over", True),
        ("Leave the bread until dinner", "dinner is at eight", False),
        ("The TV may only be on after 8 pm", "it's half past eight", True),
        ("The TV may only be on after 8 pm", "it's half past seven", False),
        (_PAINT, "the paint is still tacky", False),
        (_PAINT, "the towels are dry", False),
        ("My sister is asleep, don't go near the bed.", "She's awake now", True),
        ("My sister is asleep, don't go near the bed.", "oh she woke up", True),
        ("My sister is asleep, don't go near the bed.", "it's dry now", False),
        ("My sister is asleep, don't go near the bed.", "she's not awake yet", False),
        (_STOVE, "they fixed the stove", True),
        (_STOVE, "the stove is dirty", False),
        ("Nobody is to use the microwave till the electrician has been back.", "The electrician has been back.", True),
        ("Don't touch the wine.", "so the wine isn't off limits any more", True),
        ("Don't touch the mug.", "the mug is clean", False),
        ("The lamp stays on.", "She is away tonight, so forget the rule about the lamp.", True),
        ("The lamp stays on.", "you can scrap what I said about the lamp", True),
        ("The lamp stays on.", "the rule about the lamp no longer applies", True),
        ("Don't touch the wine.", "the ban on the wine is lifted", True),
        ("The baby is asleep. Keep the lamp off.", "She's awake now, all good", True),
        ("Nobody opens the fridge.", "They repaired it, so scrap that rule", True),
        ("The lamp stays on.", "don't forget the rule about the lamp", False),
        ("The lamp stays on.", "forget the rule about the fridge", False),
        ("The lamp stays on.", "the ban on the lamp is not lifted", False),
    ],
)
def test_a_prohibition_ends_by_the_report_that_its_reason_is_over(said: str, report: str, *, over: bool) -> None:
    rule = Rule("touch", ("mug",), (), said)
    assert ended(report, [rule]) == [rule] * over


def test_of_two_prohibitions_in_one_sentence_that_about_what_is_named_ends() -> None:
    rules = [Rule("open", ("fridge",), (), _CLEANING), Rule("open", ("cupboard",), (), _CLEANING)]
    assert ended("The cupboards are finished!", rules) == rules[1:]


@pytest.mark.parametrize(("report", "held"), [("The paint is dry now.", "SprayBottle"), ("It is still wet.", "")])
@pytest.mark.parametrize("read", ["fact(paint: dry)", "chat(words)", "never(open(any it))"])
def test_what_had_to_wait_may_be_done_however_the_report_was_read(report: str, held: str, read: str) -> None:
    meanings = {_PAINT: "not_until(open(any cabinet))", report: read, "the spray bottle": "get(spray_bottle)"}
    room = Room("FloorPlan402", meanings=meanings)
    room.say(_PAINT)
    room.say(report)
    room.say("the spray bottle")
    assert room.holding() == held


@pytest.mark.parametrize(
    ("read", "again"),
    [
        ("never(open(fridge)); never(open(all cupboard))", "fact({x}: finished); allow(open(all them))"),
        ("never(go_to(fridge)); never(go_to(all cupboard))", "allow(go_to({x}))"),
    ],
)
@pytest.mark.parametrize(("finished", "held"), [("fridge", "Apple"), ("cupboard", "")])
def test_lifting_one_of_two_keeps_the_other(read: str, again: str, finished: str, held: str) -> None:
    lifting = f"The {finished} is finished! You can go in there again."
    room = Room("FloorPlan9", meanings={_CLEANING: read, lifting: again.format(x=finished), "an apple": "get(apple)"})
    room.say(_CLEANING)
    room.say(lifting)
    room.say("an apple")
    assert room.holding() == held


@pytest.mark.parametrize(
    ("said", "rule", "report", "over"),
    [
        ("Don't use the tap, it drips.", Rule("touch", ("tap",)), "the water is fine again", True),
        ("Hands off the microwave.", Rule("touch", ("microwave",)), "The microwave's ok now", True),
        ("Hands off the microwave.", Rule("touch", ("microwave",)), "it's safe to use again", True),
        ("Hands off the microwave.", Rule("touch", ("microwave",)), "the fridge is fine now", False),
        ("Hands off the microwave.", Rule("touch", ("microwave",)), "the microwave isn't ok now", False),
        ("No shower today, the drain is blocked.", Rule("turn_on", ("shower",)), "the drain is unblocked", True),
        ("The lamp stays on until I go to bed.", Rule("turn_off", ("lamp",)), "I'm off to bed now", True),
        ("The lamp stays on until I go to bed.", Rule("turn_off", ("lamp",)), "the bed is made", False),
    ],
)
def test_what_is_fine_again_is_forbidden_no_more(said: str, rule: Rule, report: str, *, over: bool) -> None:
    rule = replace(rule, said=said)
    assert ended(report, [rule]) == [rule] * over


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("ok baby is up. floor lamp on", True),
        ("The baby's awake, turn the lamp on please", True),
        ("turn on the lamp", False),
        ("The baby isn't up yet. Turn on the lamp.", False),
        ("The bin is full. Turn on the lamp.", False),
    ],
)
def test_a_report_in_front_of_an_order_ends_what_it_is_about(text: str, *, over: bool) -> None:
    rule = Rule("turn_on", ("lamp",), said="The baby sleeps. No lights please.")
    assert (ended_ahead(text, [rule]) == [rule]) is over


def test_of_two_rules_the_one_that_is_named_is_done_away_with() -> None:
    rules = [Rule("open", said="Leave the desk drawer shut."), Rule("turn_off", said="The desk lamp stays on.")]
    assert ended("forget the rule about the desk lamp", rules) == rules[1:]


def test_a_rule_that_is_not_to_be_forgotten_holds_on() -> None:
    told, again = "The desk lamp stays on.", "Don't forget the rule about the desk lamp."
    meanings = {told: "never(turn_off(desk_lamp))", again: "allow(turn_off(desk_lamp))", "off": "turn_off(desk_lamp)"}
    room = Room("FloorPlan205", meanings=meanings)
    room.say(told)
    room.say(again)
    assert not room.say("off").touched


def test_light_that_is_fine_again_may_be_on() -> None:
    rule = Rule("turn_on", ("desk_lamp",), said="The desk lamp has to stay off until I say so.")
    assert ended("light is fine again", [rule]) == [rule]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how long is the fridge off limits?", True),
        ("When may you open the fridge?", True),
        ("who's allowed to use the fridge?", True),
        ("Which door should stay shut, the fridge?", True),
        ("when did you open the fridge?", False),
        ("when can you bring me the mug?", False),
    ],
)
def test_who_asks_for_the_end_or_scope_of_a_rule_is_told_the_rule(asked: str, told: bool) -> None:
    rule = Rule("open", ("fridge",), said="Don't open the fridge before six")
    assert bool(asked_of(asked, [rule])) is told

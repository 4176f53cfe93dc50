"""A talk with the Follower: control, corrections, prohibitions, questions of its own, and what it keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.dialogue.agenda import Agenda
from teach_agents.agents.dialogue.dialogue_state import Asked, Changes, Deed, DialogueState, Mention, Rule, Task, Told
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.thoughts import state_told
from teach_agents.core.dialogue import Act, Reading
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.understanding.cascade_reader import RULES_RIGHT
from teach_agents.understanding.rules_reader import RulesReader
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize("stop", ["stop", "STOP!!", "please stop right now", "halt"])
@pytest.mark.parametrize("order", ["hey, could you bring me the mug", "pick up the mug and put it on the table"])
def test_stop_is_obeyed_before_the_next_action_and_acknowledged(stop: str, order: str) -> None:
    said = Room().say(order, {2: stop})
    assert said.done, "it had begun"
    assert said.after == 0
    assert "stop" in said.replies[-1].lower()


def test_what_was_stopped_is_gone_on_with() -> None:
    room = Room()
    room.say("hey, could you bring me the spoon", {4: "stop"})
    assert not room.holding()
    room.say("ok, go on")
    assert room.holding() == "Spoon"


def test_it_waits_until_it_is_told_to_go_on() -> None:
    room = Room()
    said = room.say("could you bring me the spoon please", {4: "wait a moment"})
    assert not room.holding() and said.after == 0
    room.say("carry on")
    assert room.holding() == "Spoon"


def test_a_correction_replaces_what_was_fetched() -> None:
    room = Room()
    room.say("gimme a fork")
    assert room.holding() == "Fork"
    room.say("no, the spoon")
    assert room.holding() == "Spoon"


def test_a_question_at_work_is_answered_and_the_work_goes_on() -> None:
    room = Room()
    said = room.say("hey, could you bring me the spoon", {4: "what's in the sink?"})
    assert room.holding() == "Spoon"
    assert "sink" in said.replies[0]


def test_what_was_done_is_told_before_the_next_request_undoes_it() -> None:
    room = Room()
    said = room.say("please put the spoon in the sink", {4: "and now pick up the spoon"})
    assert room.holding() == "Spoon"
    assert [one for one in said.replies if "in the sink" in one] == [said.replies[1]], said.replies
    assert len(said.replies) == 3 and "sink" not in said.replies[2]


def test_what_was_done_to_something_else_is_told_together_with_it() -> None:
    room = Room()
    said = room.say("please put the spoon in the sink", {4: "and then pick up the fork"})
    assert room.holding() == "Fork"
    assert len(said.replies) == 2 and "sink" in said.replies[1] and "fork" in said.replies[1], said.replies


def test_what_is_forbidden_is_not_done_whatever_it_is_for() -> None:
    room = Room()
    room.say("don't open the fridge")
    shut = room.say("could you look in the fridge please")
    assert "Open" not in shut.done and not room.one("Fridge")["isOpen"]
    assert "fridge" in room.say("what mustn't you do?").text
    room.say("you may open the fridge again")
    room.say("could you open the fridge please")
    assert room.one("Fridge")["isOpen"]


def test_what_is_forbidden_is_done_once_somebody_says_to_do_it_all_the_same() -> None:
    room = Room()
    room.say("don't open the fridge")
    asked = room.say("open the fridge")
    assert asked.text.endswith("?") and not room.one("Fridge")["isOpen"]
    room.say("yes")
    assert room.one("Fridge")["isOpen"]
    room.say("close the fridge")
    assert "Open" not in room.say("could you look in the fridge please").done, "it holds on"


class _Unsure:
    """Reads as rules do, and is never sure of an order."""

    def __init__(self) -> None:
        self.rules = RulesReader()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        found = self.rules.read(text, recent)
        return found._replace(confidence=0.05 if any(act.act is Act.ORDER for act in found.acts) else 1.0)


def test_an_order_that_was_not_surely_read_is_confirmed_and_lifts_no_prohibition() -> None:
    room = Room(follower=PlannerFollower(understanding=_Unsure()))
    room.say("don't open the fridge")
    assert room.say("look in the fridge").text.endswith("?")
    assert "told me" in room.say("yes").text and not room.one("Fridge")["isOpen"]
    assert room.say("pick up the mug").text.endswith("?") and not room.holding()
    room.say("yes")
    assert room.holding() == "Mug"


def test_a_condition_that_is_not_met_leaves_things_as_they_are() -> None:
    room = Room()
    said = room.say("close the fridge if it is open")
    assert not said.done and "open" in said.text


def test_what_points_at_nothing_is_asked_for_and_the_answer_completes_it() -> None:
    room = Room()
    asked = room.say("could you slice that for me")
    assert asked.replies[-1].endswith("?") and not asked.touched
    room.say("the tomato")
    assert any(one["objectType"] == "TomatoSliced" for one in room.household.objects)


def test_a_fact_is_kept_and_told_again() -> None:
    room = Room()
    assert room.say("the toaster is broken").replies
    assert "toaster is broken" in room.say("what did I tell you?").text


def test_another_language_is_answered_in_it_and_nothing_is_done() -> None:
    said = Room().say("bitte bring mir einen Becher")
    assert said.text == "Ich verstehe nur Englisch." and not said.done


def test_facts_and_prohibitions_are_known_in_a_session_that_is_taken_up_again() -> None:
    room = Room()
    room.say("don't open the fridge")
    room.say("the toaster is broken")
    room.seat(PlannerFollower(), resumed=True)
    assert "toaster is broken" in room.say("what did I tell you?").text
    assert "Open" not in room.say("could you look in the fridge please").done


@pytest.mark.parametrize("follower", ["planner", "lm:model=oracle"])
def test_a_talk_is_taken_up_by_what_was_told_of_it(follower: str) -> None:
    def made() -> Agent:
        agent: Agent = build("agent", follower, role=Role.FOLLOWER)
        return agent

    room = Room(follower=made())
    room.say("don't open the fridge, please")
    room.say("the toaster belongs to Anna")
    room.say("could you put the apple?")
    state = json.loads(json.dumps(state_told(room.thoughts)))
    assert room.seat(made(), resumed=True, state=state).replies == ["Where should I put it?"]
    assert room.say("in the microwave please").done["Place"] == 1
    assert "Anna" in room.say("whose is the toaster?").text
    assert "Open" not in room.say("could you look in the fridge please").done


def test_how_words_were_read_is_told_in_thoughts() -> None:
    room = Room()
    room.household.act(Role.COMMANDER, Action.say("gimme a fork"))
    room.follower.act(room.household.observe(Role.FOLLOWER, room.follower.privileges, turn=room.turn))
    heard = (room.follower.thought or {})["heard"]
    (said,) = (number for number, one in enumerate(room.household.dialogue) if one.text == "gimme a fork")
    assert heard == [{"utterance": said, "acts": "get(fork)", "confidence": RULES_RIGHT, "by": "rules"}]


def test_a_dialogue_state_is_kept_whole() -> None:
    state = DialogueState(
        recent=["person: hi"],
        mentions=[Mention("mug", ("Mug|1",))],
        question=Asked("which", "get(mug)", 0, ("Mug|1", "Mug|2"), "Which one?"),
        heard=3,
        taken=[0, 2],
        waiting=["hello?"],
        queue=[Task("wash(mug)", "wash it")],
        doing="get(apple)",
        doing_said="gimme an apple",
        paused=True,
        left=[Task("open(box)", "open it")],
        last="get(apple)",
        deeds=[Deed("open(fridge)", True, "The fridge is open.", ("Fridge|1",), 3)],
        rules=[Rule("open", ("drawer",), (), "don't open drawers")],
        suspended=[Rule("open", ("fridge",), (), "don't open the fridge")],
        facts=[Told("the mug is in the sink", 2, "mug", "sink")],
        last_said="Hello.",
    )
    assert DialogueState.from_json(json.loads(json.dumps(state.to_json()))) == state
    with pytest.raises(InputError, match="dialogue state"):
        DialogueState.from_json({"recent": []})


def test_what_changed_of_a_dialogue_state_is_told_once() -> None:
    state = DialogueState()
    changes = Changes(state)
    state.note("robot: hi")
    assert not changes.take(), "lines are known from the dialogue"
    state.queue = [Task("wash(mug)", "wash it")]
    assert changes.take() == {"recent": ["robot: hi"], "queue": [("wash(mug)", "wash it")]}
    assert not changes.take(anyway=True)
    state.note("person: hi")
    assert changes.take(anyway=True) == {"recent": ["robot: hi", "person: hi"]}


def test_a_permitted_order_that_is_taken_up_has_to_be_permitted_again() -> None:
    rule = Rule("open", ("fridge",), (), "don't open the fridge")
    told = {"suspended": [asdict(rule)], "doing": "open(fridge)", "doing_said": "open it all the same"}
    state = DialogueState.taken_up(told)
    assert (state.rules, state.suspended) == ([rule], [])
    agenda = Agenda(state)
    assert [due.said for due in agenda.waiting] == ["open it all the same"] and not state.doing


def test_where_ids_do_not_last_a_rule_is_about_the_kind() -> None:
    state = DialogueState(
        mentions=[Mention("mug", ("Mug|det|1",))],
        question=Asked("which", "get(mug)", 0, ("Mug|det|1", "Mug|det|2"), "Which one?"),
        rules=[Rule("touch", (), ("Mug|det|2",), "don't touch the dirty mug")],
    )
    state.forget_ids(lambda name: name.partition("|")[0].lower())
    assert state.mentions == [Mention("mug")]
    assert state.rules == [Rule("touch", ("mug",), (), "don't touch the dirty mug")]
    assert state.question == Asked("what", "get(mug)", 0, (), "Which one?")


def test_an_agenda_takes_up_orders_but_for_motions_that_are_half_made() -> None:
    state = DialogueState(queue=[Task("?see", "what's there"), Task("no such act", "x")], doing="turn_left(2 time)")
    agenda = Agenda(state)
    assert [due.act.act for due in agenda.waiting] == [Act.QUESTION]
    assert state.queue == [Task("?see", "what's there")]


@pytest.mark.parametrize("follower", ["planner", "planner:perception=oracle"])
def test_what_is_wanted_from_a_place_is_not_put_there(follower: str) -> None:
    agent: Agent = build("agent", follower, role=Role.FOLLOWER)
    room = Room(follower=agent)
    said = room.say("bring me whatever is in the microwave")
    assert "Place" not in said.done and not room.holding()


def test_again_is_the_last_order_once_more() -> None:
    room = Room()
    room.say("turn left")
    assert room.say("Again, please.").done["Turn Left"] == 1


def test_a_thing_and_its_part_are_one_thing_to_turn_to() -> None:
    said = Room("FloorPlan403").say("Turn towards the bathtub.")
    assert said.done and "Which" not in said.text


def test_which_lamp_is_asked_where_lamps_of_two_kinds_may_be_meant() -> None:
    room = Room("FloorPlan205")
    assert all(room.one(kind)["isToggled"] for kind in ("DeskLamp", "FloorLamp"))
    said = room.say("Turn off the lamp.")
    assert not said.done and "I know two: the desk lamp and the floor lamp. Which one" in said.text
    room.say("the floor lamp")
    assert not room.one("FloorLamp")["isToggled"] and room.one("DeskLamp")["isToggled"]
    room.say("turn off the lamp")
    assert not room.one("DeskLamp")["isToggled"], "the one that is on"


def test_the_other_lights_are_not_the_one_that_is_to_stay_on() -> None:
    room = Room("FloorPlan206")
    room.say("Leave the ceiling light on.")
    room.say("Turn off all the other lights.")
    assert not room.one("FloorLamp")["isToggled"] and room.one("LightSwitch")["isToggled"]


def test_what_cannot_be_seen_of_a_thing_is_answered_as_it_was_told() -> None:
    room = Room()
    room.say("The boots are too small for me.")
    assert 'You told me: "The boots are too small for me."' in room.say("What's wrong with the boots?").text
    room.say("The towel is dry.")
    assert "The towel is dry" in room.say("Is the towel wet?").text
    assert "told me" not in room.say("Is the fridge open?").text


def test_what_is_anywhere_is_told_by_its_name() -> None:
    assert "toilet paper" in Room("FloorPlan402").say("Is there anything on the toilet?").text


def test_what_is_too_long_is_said_to_be() -> None:
    told = Room().say("and so on and on, qwz " * 500)
    assert len(told.replies) == 1 and "too long" in told.text or "fewer words" in told.text


def test_what_is_too_long_is_said_to_be_even_if_it_begins_as_what_is_said_in_passing() -> None:
    assert Room().say("stop, go back a step and look left, " * 280).replies


def test_what_cannot_be_done_is_not_tried_again_and_again() -> None:
    said = Room().say("look down. " * 20 + "turn left.")
    assert "cannot look further down" in said.text
    assert said.done["Look Down"] < 5 and said.done["Turn Left"] == 1


def test_what_was_taken_away_is_named_beside_what_is_clear_now() -> None:
    room = Room()
    room.say("put the fork on the plate")
    said = room.say("clear the plate")
    assert "plate is clear now: I put the fork " in said.text.replace("dinner ", "")


def test_that_nothing_was_understood_is_said_once() -> None:
    room = Room()
    assert len(room.say("<script>xqz(zzq)</script> <img src=x>! Zqx vwk; qqz.").text.split(". ")) <= 2
    assert room.say("Bonjour, comment allez-vous? Zqx.").text.count("ngl") == 1


def test_a_person_who_agrees_at_rest_is_answered_and_an_agent_is_not() -> None:
    assert Room(meanings={"Correct.": "ok"}, person=True).say("Correct.").text
    assert not Room(meanings={"Correct.": "ok"}).say("Correct.").text

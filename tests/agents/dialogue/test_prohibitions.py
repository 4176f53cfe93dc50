"""Prohibitions: their scope, their exceptions, what orders leave alone for them, and when they end."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.agenda import Agenda, Due
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule, Task
from teach_agents.agents.dialogue.prohibitions import breaks, lifted, rule_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.talking import Room


@pytest.fixture(scope="module")
def kitchen() -> Asked:
    return Asked("FloorPlan7")


def _rules(kitchen: Asked, *never: str) -> list[Rule]:
    resolver = Resolver(kitchen.body, DialogueState())
    return [rule_of(read_meaning(line)[0], resolver, line) for line in never]


def _breaks(kitchen: Asked, order: str, *never: str) -> list[str]:
    resolver = Resolver(kitchen.body, DialogueState())
    return [rule.said for rule in breaks(read_meaning(order)[0], _rules(kitchen, *never), resolver)]


@pytest.mark.parametrize(
    ("order", "never", "broken"),
    [
        ("open(fridge)", "open(fridge)", True),
        ("open(microwave)", "open(fridge)", False),
        ("get(mug)", "touch(mug)", True),
        ("wash(mug)", "touch(faucet)", True),
        ("wash(mug)", "turn_on(tap)", True),
        ("wash(mug)", "slice(anything)", False),
        ("wash(mug)", "cook(anything)", False),
        ("cook(potato)", "touch(microwave)", False),
        ("put(apple, in fridge)", "put(anything, in fridge)", True),
        ("put(apple, on table)", "put(anything, in fridge)", False),
        ("get(apple)", "pick_up(anything, from fridge)", False),
        ("get(apple)", "pick_up(anything, from counter)", True),
        ("open(drawer)", "open(left drawer)", False),
        ("go_to(microwave)", "touch(microwave)", False),
        ("find(mug)", "touch(mug)", False),
        ("go_to(microwave)", "go_to(microwave)", True),
        ("put(apple, in fridge)", "put(anyone, in fridge)", False),
        ("open(fridge)", "put(anyone, in fridge)", True),
    ],
)
def test_a_rule_is_broken_by_what_it_is_about_where_it_is_about_it(
    kitchen: Asked, order: str, never: str, *, broken: bool
) -> None:
    assert _breaks(kitchen, order, never) == [never] * broken


def test_what_is_allowed_of_several_is_an_exception_and_what_is_allowed_in_general_ends_the_rule(
    kitchen: Asked,
) -> None:
    resolver = Resolver(kitchen.body, DialogueState())
    rules = _rules(kitchen, "open(all drawer)")

    def left(allowed: str) -> list[Rule]:
        return lifted(read_meaning(allowed)[0], rules, resolver)

    (rule,) = left("open(top drawer)")
    assert len(rule.but) == 1 and rule.nouns == ("drawer",)
    assert left("open(drawer)") == [] and left("open(it)") == [] and left("get(drawer)") == rules


def _open_drawers(room: Room) -> int:
    return sum(bool(one["isOpen"]) for one in room.household.objects if one["objectType"] == "Drawer")


def test_what_is_an_exception_is_done_and_nothing_else() -> None:
    room = Room("FloorPlan301", meanings={})
    room.say("don't open the drawers")
    room.say("you may open the bottom drawer of the desk")
    said = room.say("open the bottom drawer of the desk")
    assert said.done["Open"] == _open_drawers(room) == 1 and "told me" not in said.text
    assert room.say("open the bottom drawer of the dresser").text.endswith("Shall I do it all the same?")


def test_of_all_that_is_asked_for_what_is_forbidden_is_left_and_that_is_said() -> None:
    room = Room(meanings={"open four drawers": "open(4 drawer)"})
    room.say("don't open the left drawer")
    said = room.say("open all the drawers")
    assert _open_drawers(room) == 3
    assert 'I left the rest: you told me: "don\'t open the left drawer"' in said.text
    room.say("close all the drawers")
    some = room.say("open four drawers")
    assert _open_drawers(room) == 3 and "I left the rest" in some.text and "I know of only" not in some.text


def test_nothing_goes_into_the_fridge_and_everything_else_goes_anywhere() -> None:
    room = Room(meanings={})
    room.say("don't put anything in the fridge")
    assert room.say("put the apple on the table").done["Place"] and room.is_in("Apple", "DiningTable")
    asked = room.say("put the apple in the fridge")
    assert asked.text.endswith("Shall I do it all the same?") and not asked.done


def test_where_the_microwave_is_forbidden_the_stove_cooks_and_where_all_is_nothing_does() -> None:
    room = Room(meanings={"and keep off the stove": "never(touch(stove))"})
    room.say("don't use the microwave")
    room.say("cook the potato")
    assert room.one("Potato")["isCooked"] and not room.is_in("Potato", "Microwave")
    room.say("and keep off the stove")
    said = room.say("cook the egg")
    assert "You told me" in said.text and not said.done["ToggleOn"]


WAIT = "don't pick up the apple until I say go"


def test_what_has_to_wait_is_done_at_go_whatever_was_done_between() -> None:
    room = Room(meanings={WAIT: "not_until(pick_up(apple))"})
    room.say(WAIT)
    assert room.say("pick up the apple").text.endswith("Shall I do it all the same?")
    room.say("no")
    room.say("pick up the spoon")
    assert room.holding() == "Spoon"
    room.say("ok, go")
    assert room.holding() == "Apple"
    assert "apple" not in room.say("what mustn't you do?").text


def test_what_is_to_wait_takes_nothing_else_along() -> None:
    text = f"{WAIT}, and get the spoon"
    room = Room(meanings={text: "not_until(pick_up(apple)); get(spoon)"})
    room.say(text)
    assert room.holding() == "Spoon"


def test_what_was_stopped_is_gone_on_with_before_what_waits() -> None:
    (act, stopped) = read_meaning("pick_up(apple); get(spoon)")
    state = DialogueState(rules=[Rule("pick_up", ("apple",), (), WAIT)], left=[Task("pick_up(apple)", WAIT)])
    agenda = Agenda(state)
    agenda.first([stopped], "get the spoon")
    agenda.drop()
    assert agenda.go_on() and agenda.pop() == Due(stopped, "get the spoon") and not agenda
    assert state.rules
    assert agenda.go_on() and agenda.pop() == Due(act, WAIT)
    assert not state.rules and not agenda.go_on()


@pytest.mark.parametrize(("barred", "taken"), [("sofa", "ArmChair"), ("armchair", "Sofa")])
@pytest.mark.parametrize("read", ["put(newspaper, on sofa or armchair)", "put(newspaper, on sofa)"])
def test_of_two_places_that_would_do_the_allowed_one_is_taken(barred: str, taken: str, read: str) -> None:
    told = f"The cover of the {barred} is damp, nothing is to go on it today."
    asked = "put the newspaper on the sofa or on one of the armchairs, I don't care which"
    never = f"fact(cover of {barred}: damp); never(put(anything, on it))"
    room = Room("FloorPlan201", meanings={told: never, asked: read})
    room.say(told)
    room.say(asked)
    assert room.is_in("Newspaper", taken) and not room.is_in("Newspaper", barred.capitalize())


def test_nothing_goes_on_what_is_wet_whatever_the_cover_was_taken_for() -> None:
    told = "The cover of the sofa is damp, nothing is to go on it."
    room = Room("FloorPlan201", meanings={told: "never(put(cover, on sofa))"})
    room.say(told)
    assert room.say("put the newspaper on the sofa").text.endswith("Shall I do it all the same?")


def test_of_everything_what_is_forbidden_is_left_and_that_is_said() -> None:
    told, asked = "don't move the credit card", "everything off the side table and onto the dining table"
    meanings = {told: "never(move(credit_card))", asked: "put(everything @on side_table, on dining_table)"}
    room = Room("FloorPlan203", meanings=meanings)
    room.say(told)
    said = room.say(asked)
    assert room.is_in("TissueBox", "DiningTable") and not room.is_in("CreditCard", "DiningTable")
    assert "told me" in said.text


def test_a_towel_is_one_that_may_be_touched_and_the_towel_is_asked_about() -> None:
    told = "the big bath towel is for guests"
    meanings = {told: "never(touch(big bath_towel))", "a towel please": "get(towel)", "the towel please": "get(towel)"}
    room = Room("FloorPlan404", meanings=meanings)
    room.say(told)
    assert room.say("the towel please").text.endswith("Shall I do it all the same?")
    room.say("no")
    room.say("a towel please")
    assert room.holding() == "HandTowel"


def test_to_go_into_what_shuts_is_to_open_it_and_to_go_to_it_is_not(kitchen: Asked) -> None:
    resolver = Resolver(kitchen.body, DialogueState())
    (into,), (near,) = read_meaning("go_to(fridge)"), read_meaning("go_to(fridge)")
    assert rule_of(into, resolver, "don't go in the fridge").verb == "open"
    assert rule_of(near, resolver, "don't go near the fridge").verb == "go_to"


def test_whether_it_may_is_answered_and_allows_nothing() -> None:
    asked = "are you allowed to touch the mug?"
    room = Room(meanings={"hands off the mug": "never(touch(mug))", asked: "allow(touch(mug))"})
    room.say("hands off the mug")
    assert "told me" in room.say(asked).text
    assert room.say("get the mug").text.endswith("Shall I do it all the same?")


def test_without_water_nothing_is_washed() -> None:
    room = Room(meanings={"do not run any water": "never(turn_on(any water))", "wash the cup": "wash(cup)"})
    room.say("do not run any water")
    assert not room.say("wash the cup").touched


def test_what_is_forbidden_along_with_an_order_holds_for_it() -> None:
    words = "get me the egg, but leave the fridge shut"
    room = Room(setup=("put Egg in Fridge",), meanings={words: "get(egg); never(open(fridge))"})
    said = room.say(words)
    assert not said.touched and room.is_in("Egg", "Fridge") and "leave the fridge shut" in said.text


def test_what_is_forbidden_for_later_does_not_hold_for_the_order_before_it() -> None:
    words = "put the mug in the fridge and then do not open it again"
    room = Room(meanings={words: "put(mug, in fridge); never(open(fridge))"})
    room.say(words)
    assert room.is_in("Mug", "Fridge")


@pytest.mark.parametrize("unsaid", ["Forget I said that and close it.", "On second thoughts, scrap that; close it."])
def test_what_was_just_forbidden_is_taken_back_and_done(unsaid: str) -> None:
    told = "the laptop stays as it is"
    room = Room("FloorPlan303", meanings={told: "never(touch(laptop))", unsaid: "cancel; close(it)"})
    room.say(told)
    said = room.say(unsaid)
    assert not room.one("Laptop")["isOpen"] and "all the same" not in said.text


@pytest.mark.parametrize("again", ["allow(turn_on(water))", "allow(touch(water))"])
def test_water_that_may_run_again_runs_from_the_taps(again: str) -> None:
    told, later = "No running water for now, please.", "You may have the water back."
    room = Room("FloorPlan5", meanings={told: "never(turn_on(water))", later: again})
    room.say(told)
    assert not room.say("turn on the tap").touched
    room.say("no")
    room.say(later)
    assert room.say("turn on the tap").touched


def test_an_order_that_puts_something_where_nothing_may_be_touched_is_not_begun() -> None:
    told = "The sofa is off limits."
    room = Room("FloorPlan201", meanings={told: "never(touch(sofa))"})
    room.say(told)
    said = room.say("put the remote on the sofa")
    assert not said.touched and told.rstrip(".") in said.text


@pytest.mark.parametrize("meaning", ["put(some coffee, in mug)", "get(coffee)", "make(coffee)"])
def test_coffee_is_refused_at_once_where_its_machine_is_forbidden(meaning: str) -> None:
    told = "don't use the coffee machine"
    room = Room("FloorPlan13", meanings={told: "never(touch(coffee_machine))", "some coffee please": meaning})
    room.say(told)
    said = room.say("some coffee please")
    assert told in said.text and not said.touched


@pytest.mark.parametrize("meaning", ["pour(some water, in cup)", "get(glass of water)", "put(water, in cup)"])
def test_water_is_refused_at_once_where_the_tap_is_to_stay_off(meaning: str) -> None:
    told = "The tap stays off until I tell you."
    room = Room("FloorPlan13", meanings={told: "not_until(turn_on(tap))", "some water please": meaning})
    room.say(told)
    said = room.say("some water please")
    assert told.rstrip(".") in said.text and not said.touched


def test_a_rule_of_what_is_hot_is_of_nothing_cold() -> None:
    told, put = "Don't put anything hot in the fridge", "put(apple, in fridge)"
    meanings = {told: "never(put(hot anything, in fridge))", "apple": put, "heat": "cook(potato)"}
    room = Room("FloorPlan1", meanings={**meanings, "potato": "put(potato, in fridge)", "what not?": "?forbidden"})
    room.say(told)
    room.say("apple")
    assert room.is_in("Apple", "Fridge")
    room.say("heat")
    assert told in room.say("potato").text
    assert "that is hot" in room.say("what not?").text


def test_what_only_one_person_may_do_is_done_for_that_person() -> None:
    told, put = "Only Mum is allowed to move the vase. I'm Tim.", "put(vase, on coffee_table)"
    meanings = {told: "fact(only mum)", "Tim: move it": put, "This is Mum now, move it": put}
    room = Room("FloorPlan201", meanings=meanings)
    room.say(told)
    assert not room.say("Tim: move it").touched
    assert room.say("This is Mum now, move it").touched


def test_a_tool_that_is_not_to_be_gone_to_is_not_begun_with() -> None:
    told = "no one's allowed near the toaster"
    room = Room("FloorPlan1", meanings={told: "never(go_to(toaster))", "toast": "make(some toast)"})
    room.say(told)
    said = room.say("toast")
    assert told in said.text and not said.done


def test_what_nobody_is_to_eat_is_not_cut() -> None:
    told = "nobody eats the bread"
    room = Room("FloorPlan1", meanings={told: "never(eat(bread))", "slice": "slice(bread)"})
    room.say(told)
    said = room.say("slice")
    assert told in said.text and not said.done


def test_no_water_in_the_bath_is_no_water_from_its_tap() -> None:
    told, tap = "no water in the bath", "turn_on(tap of {})"
    meanings = {told: "never(put(water, in bathtub))", "bath": tap.format("bathtub"), "sink": tap.format("sink")}
    room = Room("FloorPlan401", meanings=meanings)
    room.say(told)
    assert not room.say("bath").touched
    assert room.say("sink").touched


def test_it_that_nobody_has_seen_is_forbidden_by_name() -> None:
    told, forbids, asked = "My phone charges.", "Don't pick it up", "are you allowed to take my phone?"
    meanings = {told: "fact(phone: charging)", forbids: "never(pick_up(it))", asked: "?can(pick_up(phone))"}
    room = Room("FloorPlan401", meanings=meanings, looks_for_itself=True)
    room.say(told)
    room.say(forbids)
    assert forbids in room.say(asked).text


def test_who_changed_their_mind_is_obeyed() -> None:
    told, changed = "I don't want anyone cutting the apple.", "Sorry, changed my mind, you can slice it"
    meanings = {told: "never(slice(apple))", "cut": "slice(apple)", changed: "slice(apple)"}
    room = Room("FloorPlan1", meanings=meanings)
    room.say(told)
    assert not room.say("cut").touched
    assert room.say(changed).done["Slice"]


def test_what_is_not_to_be_on_the_floor_goes_on_what_stands_there() -> None:
    told = "Cushions are not allowed on the floor"
    meanings = {told: "never(put(all cushion, on floor))", "chair": "put(pillow, on armchair)"}
    room = Room("FloorPlan201", meanings=meanings)
    room.say(told)
    room.say("chair")
    assert room.is_in("Pillow", "ArmChair")


def test_whose_what_may_not_be_touched_is_is_remembered() -> None:
    told, more = "The keys are Tom's so keep off them", "Emma's book is here and that pencil is hers too"
    meanings = {
        told: "never(touch(all key))",
        more: "fact(book)",
        "whose?": "?who(all key)",
        "whose pencil?": "?who(pencil)",
    }
    room = Room("FloorPlan301", meanings=meanings)
    room.say(told)
    room.say(more)
    assert "Tom" in room.say("whose?").text
    assert "Emma" in room.say("whose pencil?").text


def test_a_burner_that_is_to_stay_off_is_not_switched_by_its_knob() -> None:
    told = "don't turn on the stove burner"
    room = Room("FloorPlan1", meanings={told: "never(turn_on(stove_burner))", "boil": "boil(some water)"})
    room.say(told)
    said = room.say("boil")
    assert told in said.text

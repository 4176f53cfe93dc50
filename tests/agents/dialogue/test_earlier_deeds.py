"""Questions of how things were, what failed, and what something was done to."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("setup", "text", "meaning", "said"),
    [
        (["open Fridge"], "was it open when you got there?", "?state(it: open)", "Yes, the fridge was open before I"),
        ([], "was it open before?", "?state(it: open)", "No, the fridge was closed already"),
        (
            ["open Fridge"],
            "Had somebody left it open or was it shut?",
            "?state(it: shut)",
            "The fridge was open before",
        ),
        ([], "how did you find it - what was it like before?", "?what_state(it)", "The fridge was closed already"),
    ],
)
def test_it_tells_how_a_thing_was_before_an_order(setup: list[str], text: str, meaning: str, said: str) -> None:
    room = Room(setup=setup, meanings={text: meaning})
    room.say("close the fridge")
    assert room.say(text).text.startswith(said)


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ([], "Both were on"),
        (["off FloorLamp"], "One of the two was on: the desk lamp"),
        (["off FloorLamp", "off DeskLamp"], "None of them was on: both were off already"),
    ],
)
@pytest.mark.parametrize(
    ("asked", "meaning"),
    [("How many of the two were still on?", "?count(on one)"), ("Which were on?", "?which(on one)")],
)
def test_it_tells_which_of_several_were_otherwise_before(setup: list[str], said: str, asked: str, meaning: str) -> None:
    text = f"See that both lamps are off. {asked}"
    acts = f"turn_off(floor_lamp); turn_off(desk_lamp); {meaning}"
    assert said in Room("FloorPlan201", setup=setup, meanings={text: acts}).say(text).text


@pytest.mark.parametrize(
    ("setup", "said"), [([], "The floor lamp was on before I turned it off"), (["off FloorLamp"], "was off already")]
)
def test_it_tells_whether_it_had_to(setup: list[str], said: str) -> None:
    text = "Did you have to switch it off or was it off already?"
    room = Room(
        "FloorPlan201",
        setup=setup,
        meanings={"turn off the floor lamp": "turn_off(floor_lamp)", text: "?state(it: off)"},
    )
    room.say("turn off the floor lamp")
    assert said in room.say(text).text


def test_what_is_asked_about_one_of_several_is_answered_once_it_is_told_which() -> None:
    text = "Turn off the desk lamp and tell me if it was on"
    room = Room(
        "FloorPlan321", meanings={text: "turn_off(desk_lamp); ?state(it: on)", "on the desk": "choose(one @on desk)"}
    )
    assert room.say(text).text.endswith("Which one do you mean?")
    assert "Yes, the desk lamp was on before" in room.say("on the desk").text


@pytest.mark.parametrize(
    ("setup", "said"), [(["dirty Cup", "dirty Bowl"], "I washed the cup"), (["dirty Bowl"], "I washed the bowl")]
)
def test_it_tells_which_it_washed_first(setup: list[str], said: str) -> None:
    text = "Which did you wash first?"
    room = Room(setup=setup, meanings={text: "?which(clean one)"})
    room.say("wash the cup")
    room.say("wash the bowl")
    assert said in room.say(text).text


@pytest.mark.parametrize(
    ("text", "meaning", "said"),
    [
        ("What did you cut it with?", "?other(what did you cut it with)", "I used the knife."),
        ("Who cut the tomato?", "?other(who cut the tomato)", "I sliced the tomato."),
        ("How many things did you cut?", "?count(thing)", "I sliced"),
        ("How many plates did you wash?", "?count(clean plate)", "None: I washed nothing."),
        ("Are there more forks than chairs?", "?count(fork)", "No, I know one fork and three chairs."),
        (
            "Which are there more of, chairs or forks?",
            "?count(chair)",
            "There are more chairs: three chairs and one fork.",
        ),
    ],
)
def test_it_tells_how_it_did_what(text: str, meaning: str, said: str) -> None:
    room = Room(meanings={"cut the tomato": "slice(tomato)", text: meaning})
    room.say("cut the tomato")
    assert room.say(text).text.startswith(said)


def test_who_fetches_a_thing_has_moved_it() -> None:
    room = Room(meanings={"get the apple": "get(apple)", "moved?": "?did(move(anything))"})
    room.say("get the apple")
    assert room.say("moved?").text.startswith("Yes")


def test_what_points_at_a_thing_that_is_asked_for_waits() -> None:
    text = "Open the drawer, look what is inside and close it again"
    acts = "open(drawer); look_in(it); close(it)"
    room = Room("FloorPlan303", meanings={text: acts, "next to the bed": "choose(one @near bed)"})
    asked = room.say(text)
    assert asked.text.endswith("Which one do you mean?") and not asked.touched
    done = room.say("next to the bed").done
    assert done["Open"] == done["Close"] == 1


@pytest.mark.parametrize(
    ("text", "meaning", "word"),
    [
        ("Which of the two couldn't you manage?", "?which(2 those)", "unicorn"),
        ("what did you fail to do?", "?forbidden", "unicorn"),
        ("which one defeated you?", "?which(one)", "unicorn"),
        ("and which of them did you manage?", "?abilities", "fridge"),
        ("why could you not bring the unicorn?", "?why", "unicorn"),
    ],
)
def test_it_tells_which_orders_failed(text: str, meaning: str, word: str) -> None:
    room = Room(meanings={"bring me the unicorn": "get(unicorn)", text: meaning})
    room.say("bring me the unicorn")
    room.say("open the fridge")
    assert word in room.say(text).text


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("wherever did you dig that up?", "?where(it)"),
        ("where on earth had it been?", "?where(it)"),
        ("and tell me where it was lying", "?where(it)"),
        ("what was it standing on?", "?other(what was it on)"),
        ("which shelf did you get it from?", "?where(it)"),
    ],
)
def test_it_tells_where_a_thing_was_taken_from(text: str, meaning: str) -> None:
    room = Room(setup=["put Apple in Sink"], meanings={text: meaning})
    room.say("get the apple")
    assert "sink" in room.say(text).text


def test_a_bed_is_made_or_unmade() -> None:
    text = "has my daughter made her bed?"
    room = Room("FloorPlan310", meanings={text: "?other(has she made her bed)", "made": "?state(bed: made)"})
    assert "unmade" in room.say(text).text
    room = Room("FloorPlan310", setup=["clean Bed"], meanings={"made": "?state(bed: made)"})
    assert room.say("made").text.startswith("Yes") and "made" in room.say("made").text


@pytest.mark.parametrize(("setup", "said"), [((), "cannot make the bed"), (("clean Bed",), "The bed is made already")])
@pytest.mark.parametrize("read", ["make(bed)", "clear(bed)"])
def test_a_bed_that_is_made_needs_no_making(setup: tuple[str, ...], said: str, read: str) -> None:
    text = "My bed, could you make it?"
    done = Room("FloorPlan321", setup=setup, meanings={text: read}).say(text)
    assert said in done.text and not done.touched


@pytest.mark.parametrize(
    ("setup", "asked", "said"),
    [
        (["on StoveKnob#2"], "?state(everything @on stove: off)", "No, one burner is still on."),
        ([], "?state(everything @on stove: off)", "Yes, everything on the stove is off."),
        (["on StoveKnob#2"], "?state(anything @on stove: on)", "Yes, one burner is on."),
        ([], "?state(anything @on stove: on)", "No, nothing on the stove is on."),
        (["dirty Plate", "put Plate in Sink"], "?state(everything @in sink: clean)", "No, the plate is still dirty."),
    ],
)
def test_it_tells_whether_everything_of_a_place_is_so(setup: list[str], asked: str, said: str) -> None:
    assert Room("FloorPlan10", setup=setup, meanings={"so?": asked}).say("so?").text == said


def test_what_is_in_a_cup_is_something() -> None:
    room = Room(setup=["fill Mug coffee"], meanings={"anything in it?": "?there(anything @in mug)"})
    assert room.say("anything in it?").text == "Yes, there is coffee in the mug."


def test_what_was_told_in_passing_is_spoken_of() -> None:
    told = "My gran left me that toaster in her will."
    room = Room(meanings={told: "chat(gran left me the toaster)", "face it": "look_at(it)"})
    room.say(told)
    assert "toaster" in room.say("face it").text


def test_not_to_stop_is_to_go_on_and_instead_is_in_place_of_it() -> None:
    room = Room(meanings={"don't you dare stop!": "stop", "Instead, go to the sink": "go_to(sink)"})
    assert "toaster" in room.say("go to the toaster", {2: "don't you dare stop!"}).text
    said = room.say("get the apple", {2: "Instead, go to the sink"})
    assert "sink" in said.text and not room.holding()


def test_a_password_is_the_word_that_it_was_said_to_be() -> None:
    text = "The password is walnut. Once I have typed the password, open the fridge."
    for meaning in (
        "fact(password: walnut); if(password: typed) open(fridge)",
        "fact(password is walnut); open(fridge)",
    ):
        room = Room(meanings={text: meaning, "almond": "chat(almond)", "walnut": "chat(walnut)"})
        assert not room.say(text).touched
        assert not room.say("almond").touched
        assert room.say("walnut").done["Open"]


def test_the_one_that_was_named_last_is_no_matter_of_where_things_are() -> None:
    told, text = "There is a fridge, a toaster and a sink in here.", "face the one I mentioned second"
    room = Room(meanings={told: "chat(things)", text: "look_at(second one)"})
    room.say(told)
    assert "toaster" in room.say(text).text

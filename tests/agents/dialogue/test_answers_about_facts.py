"""Questions about what was told: whose things are, which are so, how many, what was said of where they are."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.polar_questions import yes_or_no
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("told", "then", "asked", "answer"),
    [
        ("The pen belongs to Ruth.", "No, wait, it's Omar's.", "Silly me. Whose pen is it?", "Omar"),
        ("The pen is Ruth's.", "The pencil is Omar's.", "who does the pen belong to?", "Ruth"),
        ("The laptop is my gran's.", "It's a warm day.", "Whose is the laptop?", "your gran"),
        ("The laptop is mine.", "", "Who owns the laptop?", "yours"),
    ],
)
def test_whose_a_thing_is_is_what_was_told_last(told: str, then: str, asked: str, answer: str) -> None:
    later = "fact(it: omar's)" if "it's Omar" in then else "chat"
    room = Room("FloorPlan304", meanings={told: "fact(told)", then or "-": later, asked: "?who(thing)"})
    room.say(told)
    if then:
        room.say(then)
    said = room.say(asked).text
    assert answer in said and not ("Omar" in answer and "Ruth" in said)


@pytest.mark.parametrize(
    ("told", "asked", "meaning", "words"),
    [
        ("The microwave has packed up.", "what was it that's broken?", "?which(broken thing)", ["microwave"]),
        ("The toaster is bust.", "which one has packed up again?", "?other(x)", ["toaster"]),
        ("The mug is leaking.", "is anything cracked?", "?there(cracked something)", ["Yes", "mug"]),
    ],
)
def test_what_was_said_to_be_so_is_named(told: str, asked: str, meaning: str, words: list[str]) -> None:
    room = Room(meanings={told: "fact(told)", asked: meaning})
    room.say(told)
    said = room.say(asked).text
    assert all(word in said for word in words), said


@pytest.mark.parametrize(("last", "number"), [("Aunt Jo's too", "Two"), ("Sam's", "One")])
def test_how_many_are_somebodys_is_counted_by_what_was_told(last: str, number: str) -> None:
    told, asked = f"Pot: was Aunt Jo's. Pan: {last}. Bowl: Sam's.", "how many of them came from Aunt Jo?"
    room = Room(meanings={told: "fact(told)", asked: "?count(those @of jo)"})
    room.say(told)
    assert room.say(asked).text.startswith(f"{number}, as you told me:")


def test_where_somebody_said_a_thing_is_is_in_their_words() -> None:
    told, asked = "My keys are with the neighbour.", "Where did I say my keys were?"
    room = Room("FloorPlan206", meanings={told: "fact(key @near neighbour)", asked: "?where(all key)"})
    room.say(told)
    assert "neighbour" in room.say(asked).text


def test_what_is_away_is_not_answered_by_what_only_bears_the_name() -> None:
    told, asked = "My keys are in the car.", "Where are my keys?"
    room = Room("FloorPlan206", meanings={told: "fact(key @in car)", asked: "?where(all key)"})
    room.say(told)
    assert "car" in room.say(asked).text


@pytest.mark.parametrize(
    ("told", "other", "asked", "meaning"),
    [
        ("I've just taken my pills.", "It's a warm day.", "Did I take my pills today?", "?other(x)"),
        ("My brother comes on Friday.", "My aunt comes on Sunday.", "Who's coming on Friday?", "unclear"),
        ("The doctor rang at noon.", "I'm tired.", "Has the doctor called?", "?other(x)"),
        ("Our neighbour lost his cat yesterday.", "I'm bored.", "What did the neighbour lose?", "unclear"),
    ],
)
def test_what_happened_is_told_in_the_words_in_which_it_was(told: str, other: str, asked: str, meaning: str) -> None:
    room = Room("FloorPlan329", meanings={told: f"chat({told.rstrip('.')})", other: "fact(told)", asked: meaning})
    room.say(told)
    room.say(other)
    assert told in room.say(asked).text


def test_whoever_asks_and_forgot_gets_one_answer() -> None:
    told, asked = "I've just locked the front door.", "Did I lock the front door? I forget."
    room = Room("FloorPlan329", meanings={told: "fact(told)", asked: "?other(x); dont_know"})
    room.say(told)
    assert room.say(asked).text == f'Yes: you told me: "{told}"'


def test_where_a_thing_was_taken_last_is_told() -> None:
    meanings = {
        "My glasses are in the office.": "fact(all glasses @in office)",
        "I've just taken my glasses to the car.": "fact(i have just taken my glasses to the car)",
        "Where are my glasses now?": "?where(all glasses)",
    }
    room = Room("FloorPlan201", meanings=meanings)
    room.say("My glasses are in the office.")
    room.say("I've just taken my glasses to the car.")
    assert "car" in room.say("Where are my glasses now?").text


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["Uncle Ben arrives at 3.", "He texted, he'll be here at 5 instead."], "When does Uncle Ben arrive?", "5"),
        (["Uncle Ben arrives at 3.", "He loves cake."], "When does Uncle Ben arrive?", "3"),
        (["Uncle Ben arrives at 3.", "He loves cake."], "What does Ben love?", "cake"),
        (["Lunch is at one.", "no wait, half past one"], "When is lunch?", "half past one"),
        (["We have two guests.", "Make that four guests."], "How many guests are coming?", "four"),
        (["The haircut is at ten.", "They moved it to noon."], "When is my haircut?", "noon"),
        (["Lunch is at one.", "My sister rang, she comes at six."], "When is lunch?", "one"),
        (["Lunch is at one.", "It's raining since 6."], "When is lunch?", "one"),
        (["The bin is collected on Mondays."], "When do they collect the trash?", "Mondays"),
        (["Our rabbit is called Flops."], "What's the rabbit's name?", "Flops"),
        (["The guitar belongs to my uncle."], "Who must I ask before borrowing the guitar?", "uncle"),
    ],
)
def test_a_question_is_answered_by_the_latest_of_just_that(told: list[str], asked: str, answer: str) -> None:
    room = Room("FloorPlan304", meanings={**dict.fromkeys(told, "fact(told)"), asked: "?other(x)"})
    for one in told:
        room.say(one)
    said = room.say(asked).text
    assert answer in said and not any(one in said for one in told if answer not in one)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("The internet is down again.", "what's the internet password?"),
        ("My birthday is on Sunday.", "when is dad's birthday?"),
        ("Dad's birthday is on Sunday.", "when is my birthday?"),
        ("Our rabbit is called Flops.", "what is our hamster called?"),
        ("The code for the shed is 1234.", "what's the code for the gate?"),
        ("My brother comes tomorrow.", "what's my brother's name?"),
        ("Dad likes beer.", "what does mum like?"),
    ],
)
@pytest.mark.parametrize("meaning", ["?facts", "?other(x)", "unclear"])
def test_what_was_not_told_is_not_answered_by_something_else(told: str, asked: str, meaning: str) -> None:
    room = Room("FloorPlan304", meanings={told: "fact(told)", asked: meaning})
    room.say(told)
    assert "You told me" not in room.say(asked).text


def test_what_was_never_told_is_not_what_was_told_of_something_else() -> None:
    asked = "what code did I give you?"
    room = Room(meanings={"the door is heavy": "fact(door: heavy)", asked: "?facts"})
    room.say("the door is heavy")
    said = room.say(asked).text
    assert "have not told me" in said and "heavy" not in said


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        ("I took my heart pill after breakfast.", "Have I had my heart pill today?", "Yes"),
        ("I already fed the cat.", "have i fed the cat yet?", "Yes"),
        ("I haven't watered the plants.", "Have I watered the plants?", "No"),
        ("I don't eat eggs, I'm vegan.", "Am I vegan?", "Yes"),
        ("I still have to call the doctor.", "Did I call the doctor?", ""),
        ("I will feed the cat later.", "Have I fed the cat?", ""),
        ("Tom fed the cat.", "Did I feed the cat?", ""),
        ("My train goes at 9.", "Is my train at 7?", ""),
        ("I fed the cat.", "Where is my cat?", ""),
        ("I fed the cat.", "Do I need to feed the cat?", ""),
    ],
)
def test_what_was_told_answers_by_yes_or_no(told: str, question: str, answer: str) -> None:
    assert yes_or_no(question, told) == answer


def test_what_was_lent_is_not_in_the_room_until_it_is_back() -> None:
    told, back, asked = (
        "I lent my basketball to my cousin",
        "my cousin gave the basketball back",
        "where is my basketball?",
    )
    room = Room(
        "FloorPlan320", meanings={told: f"fact({told.lower()})", back: f"fact({back})", asked: "?where(basketball)"}
    )
    room.say(told)
    assert "cousin" in room.say(asked).text
    room.say(back)
    assert "on the floor" in room.say(asked).text


def test_what_is_not_known_of_is_told_of() -> None:
    told, asked = "my umbrella is at the office of my boss", "where is my umbrella?"
    room = Room("FloorPlan320", meanings={told: f"fact({told})", asked: "?where(umbrella)"})
    room.say(told)
    assert "boss" in room.say(asked).text


def test_whether_something_is_ours_is_answered_by_whose_it_is() -> None:
    told, asked = "the kettle isn't ours, we borrowed it from the Millers", "Is the kettle ours?"
    room = Room("FloorPlan17", meanings={told: "fact(the kettle is not ours)", asked: "?state(kettle: off)"})
    room.say(told)
    assert room.say(asked).text.startswith("No")


def test_tell_me_asks_for_what_was_told() -> None:
    told, asked = "Our wifi password is hunter22.", "tell me the wifi password please"
    room = Room(meanings={told: "fact(our wifi password is hunter22)", asked: "do(tell me the wifi password please)"})
    room.say(told)
    assert "hunter22" in room.say(asked).text


def test_a_correction_with_wait_in_front_is_no_wait() -> None:
    told, later, asked = "My flight lands at half past six.", "No, wait, it's delayed until eight.", "when do i land?"
    room = Room(
        meanings={told: "fact(my flight lands at half past six)", later: "wait", asked: "?other(when do i land)"}
    )
    room.say(told)
    assert "wait" not in room.say(later).text.lower()
    assert "eight" in room.say(asked).text


@pytest.mark.parametrize(
    ("told", "question", "meaning", "answer"),
    [
        ("My mum is coming over at four.", "Who is coming over?", "?who", "mum"),
        ("Anna's birthday is in May, Ben's is in August.", "When is Ben's birthday?", "?other(when is it)", "August"),
        ("I left my umbrella at the office", "Is my umbrella here?", "?there(umbrella)", "office"),
    ],
)
def test_what_was_told_is_the_answer(told: str, question: str, meaning: str, answer: str) -> None:
    room = Room("FloorPlan205", meanings={told: f"fact({told.lower().replace(chr(44), '')})", question: meaning})
    room.say(told)
    said = room.say(question).text
    assert answer in said and "Yes" not in said


def test_what_was_asked_about_may_be_corrected() -> None:
    told, asked, later = "the number is 47", "which number did I tell you?", "sorry, it was 74"
    room = Room(meanings={told: "fact(the number is 47)", asked: "?facts", later: "instead(74 one)"})
    room.say(told)
    room.say(asked)
    room.say(later)
    assert "74" in room.say(asked).text


def test_where_a_kind_belongs_is_where_its_things_are_kept() -> None:
    told, asked = "In this house veg belongs in the fridge.", "Where should the potato be kept?"
    room = Room("FloorPlan22", meanings={told: "put(veg, in fridge)", asked: "?where(potato)"})
    room.say(told)
    assert "fridge" in room.say(asked).text


def test_what_is_elsewhere_is_answered_by_what_was_told_and_corrected() -> None:
    told, asked = "I counted: six rolls down in the cellar.", "How many rolls are in the cellar?"
    more, changed = "And nine bottles of shampoo, imagine!", "No sorry, I looked again, four rolls."
    meanings = {told: f"fact({told.lower()})", asked: "?count(roll @in cellar)", changed: "sorry; get(4 roll)"}
    room = Room("FloorPlan415", meanings={**meanings, more: "get(4 bottle of shampoo)"})
    room.say(told)
    assert not room.say(more).done
    assert "six" in room.say(asked).text
    room.say(told)
    assert not room.say(changed).done
    assert "four" in room.say(asked).text

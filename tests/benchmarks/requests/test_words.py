from __future__ import annotations

import pytest

from teach_agents.benchmarks.requests.cases import Reply
from teach_agents.benchmarks.requests.words import (
    asks,
    first_number,
    has,
    has_content,
    lacks,
    normalised,
    polarity,
)


def test_a_text_is_normalised_to_plain_words() -> None:
    assert normalised("It’s  IN the Side-Table, I think!") == "it's in the side table i think"


@pytest.mark.parametrize(
    ("text", "phrase", "there"),
    [
        ("it is on the counter top", "counter*", True),
        ("it is on the counter top", "count", False),
        ("the fridge isn't open", "open", True),
        ("i cannot do that", "<cannot>", True),
        ("i can do that", "<cannot>", False),
        ("i have not seen a banana", "<unknown>", True),
        ("you told me to keep it shut", "<forbidden>", True),
        ("it is already closed", "<already>", True),
    ],
)
def test_phrases_are_found_as_whole_words(text: str, phrase: str, there: bool) -> None:
    assert has(text, phrase) is there


@pytest.mark.parametrize(
    ("text", "says"),
    [("yes it is", True), ("no it is shut", False), ("it isn't", False), ("the fridge is shut", None)],
)
def test_the_first_word_that_says_yes_or_no_decides(text: str, says: bool | None) -> None:
    assert polarity(text) is says


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("i see three mugs two of them dirty", 3),
        ("there are 12", 12),
        ("none", 0),
        ("a mug", 1),
        ("there are mugs", None),
    ],
)
def test_the_first_number_counts(text: str, number: int | None) -> None:
    assert first_number(text) == number


@pytest.mark.parametrize("text", ["One moment.", "OK, on it!", "Sure, let me look.", "..."])
def test_to_be_at_it_is_no_content(text: str) -> None:
    assert not has_content(text)
    assert has_content(text + " The mug is in the sink.")


def test_a_reply_lacks_what_was_not_said_and_what_should_not_be() -> None:
    wanted = Reply(says=(("fridge", "refrigerator"),), never=("sink",))
    assert not lacks(wanted, ["It is in the refrigerator."])
    assert lacks(wanted, ["It is in the sink."]) == ["reply lacks fridge|refrigerator", "reply has sink"]
    assert lacks(wanted, ["One moment."]) == ["no reply"]
    assert not lacks(Reply(says=(("<yes>", "open"),)), ["Yes."])
    assert lacks(Reply(says=(("<no>",),)), ["Yes."]) == ["no reply"]
    assert lacks(Reply(number=2), ["I see two."]) == []
    assert lacks(Reply(number=2), ["I see three."]) == ["reply should say 2"]


def test_to_understand_nothing_is_no_refusal() -> None:
    refusal = Reply(says=(("<cannot>", "<unknown>"),))
    assert lacks(refusal, ["I do not know what you mean."])
    assert not lacks(refusal, ["I do not know of any banana."])


def test_a_question_names_what_there_is_to_choose_from() -> None:
    wanted = Reply(asks=(("table",), ("counter*",)))
    assert not lacks(wanted, ["Which one, the one on the table or on the counter?"])
    assert lacks(wanted, ["I know one on the table and one on the counter."])[0] == "no question"
    assert lacks(wanted, ["Which one?"]) == ["question lacks table", "question lacks counter*"]
    assert asks('Do you mean "the mug?"')
    assert not asks("Done. What should I do next?")
    assert not asks("It is on already. What should I do?") and not asks("What can I do for you?")
    assert asks("What should I do with the microwave?")

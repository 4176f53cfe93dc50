"""Small words of English, and orders as the Follower speaks of them."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.noun_text import article, clause, listed, name_of, sentence, words_of
from teach_agents.agents.dialogue.order_text import Form, act_words
from teach_agents.understanding.notation import read_phrase


def test_words_in_a_row() -> None:
    assert listed([]) == ""
    assert listed(["a mug"]) == "a mug"
    assert listed(["a mug", "two plates"], last="or") == "a mug or two plates"
    assert listed(["a mug", "two plates", "a fork"]) == "a mug, two plates and a fork"


@pytest.mark.parametrize(
    ("words", "expected"),
    [("mug", "a mug"), ("orange", "an orange"), ("utensil", "a utensil"), ("apple", "an apple"), ("TV", "a TV")],
)
def test_articles(words: str, expected: str) -> None:
    assert article(words) == expected


def test_things_have_the_names_that_people_use() -> None:
    assert name_of("CounterTop").one == "counter"
    assert name_of("Knife").many == "knives"
    assert name_of("Bread") == ("loaf of bread", "loaves of bread", "bread")


@pytest.mark.parametrize(
    ("phrase", "the", "a"),
    [
        ("mug", "the mug", "a mug"),
        ("bread", "the bread", "bread"),
        ("all dirty plate @on table", "all the dirty plates on the table", "all the dirty plates on the table"),
        ("2 glass", "two glasses", "two glasses"),
        ("wine_glass @near sink", "the wine glass next to the sink", "a wine glass next to the sink"),
        ("cup of coffee", "the cup of coffee", "a cup of coffee"),
        ("it", "it", "it"),
        ("me", "you", "you"),
    ],
)
def test_descriptions_in_words(phrase: str, the: str, a: str) -> None:
    assert (words_of(read_phrase(phrase)), words_of(read_phrase(phrase), "a")) == (the, a)


def test_sentences_and_clauses() -> None:
    assert sentence("the mug  is here") == "The mug is here."
    assert clause("The mug is here.") == "the mug is here"
    assert clause("I am here.") == "I am here"


@pytest.mark.parametrize(
    ("act", "forms"),
    [
        ("wash(mug)", ("wash the mug", "washed the mug", "washing the mug")),
        ("put(mug, in sink)", ("put the mug in the sink", "put the mug in the sink", "putting the mug in the sink")),
        ("get(2 fork, to me)", ("bring you two forks", "brought you two forks", "bringing you two forks")),
        ("make(coffee)", ("make coffee", "made coffee", "making coffee")),
        ("throw_away(it)", ("throw it away", "threw it away", "throwing it away")),
        ("no act at all", ("do that", "did that", "doing that")),
    ],
)
def test_orders_in_words(act: str, forms: tuple[str, ...]) -> None:
    assert tuple(act_words(act, form) for form in Form) == forms

"""Reading by rules: what is read is right, what is not understood whole is not read."""

from __future__ import annotations

import pytest

from teach_agents.core.dialogue import Reading
from teach_agents.understanding.languages import language_of
from teach_agents.understanding.notation import write_meaning, write_phrase
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.requests import first_corpus
from teach_agents.understanding.rules_reader import RulesReader
from teach_agents.understanding.tokens import sentences

QUESTION = ("person: bring me a mug", "robot: I know two mugs. Which one?")


def test_an_utterance_is_sentences_of_plain_words() -> None:
    assert [one.text for one in sentences("Hey, what's in the fridge? Don't open it!")] == [
        "hey , what is in the fridge",
        "do not open it",
    ]
    assert [one.asked for one in sentences("whats up? ok")] == [True, False]
    assert sentences(" ... !? ") == []


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        ("the two dirty plates on the table", "2 dirty plate @on table"),
        ("whatever is next to the toaster", "something @near toaster"),
        ("all of the drawers", "all drawer"),
        ("the plate with a tomato on it", "plate +tomato"),
        ("the cup behind the kettle in the cabinet over the stove", "cup @behind kettle @in cabinet @above stove"),
        ("the top drawer of the dresser", "top drawer of dresser"),
        ("a bit of water", "some water"),
        ("the other", "other one"),
        ("three slices of bread", "3 slice_of_bread"),
        ("the soapy sponge", "soapy sponge"),
        ("that mug", "mug"),
        ("the garbage can", "garbage_can"),
    ],
)
def test_a_noun_phrase_is_a_description(words: str, phrase: str) -> None:
    found = noun_phrase(words)
    assert found is not None and write_phrase(found) == phrase


@pytest.mark.parametrize("words", ["", "the", "open the door", "the mug and the fork", "in the sink"])
def test_other_words_are_no_description(words: str) -> None:
    assert noun_phrase(words) is None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("hey, could you please grab me an apple?", "get(apple)"),
        ("Would you mind closing the fridge, please?", "close(fridge)"),
        ("put the plates on the table in the sink, then wash them", "put(all plate @on table, in sink); wash(them)"),
        ("pick up the mug and the fork", "pick_up(mug); pick_up(fork)"),
        ("close the fridge if it's open", "if(it: open) close(fridge)"),
        ("unless the mug is clean wash it", "unless(mug: clean) wash(it)"),
        ("don't open the drawers anymore", "never(open(all drawer))"),
        ("feel free to use the stove", "allow(touch(stove))"),
        ("what's in the fridge", "?in(fridge)"),
        ("is the oven still on?", "?state(oven: on)"),
        ("how many forks do we have?", "?count(fork)"),
        ("can you slice bread?", "?can(slice(bread))"),
        ("can you slice the bread?", "slice(bread)"),
        ("no, the spoon", "instead(spoon)"),
        ("no no, wash it", "instead_do(wash(it))"),
        ("not that one", "not(that)"),
        ("the mug is in the cabinet", "fact(mug @in cabinet)"),
        ("the toaster is broken", "fact(toaster: broken)"),
        ("wait no stop", "stop"),
        ("take two steps to the left", "step_left(2)"),
        ("Hi there! Do the dishes.", "hello; wash(all dirty dish)"),
        ("microwave the potato", "cook(potato, in microwave)"),
    ],
)  # fmt: skip
def test_plain_english_is_read(text: str, meaning: str) -> None:
    found = RulesReader().read(text)
    assert (write_meaning(found.acts), found.confidence, found.by) == (meaning, 1.0, "rules")


@pytest.mark.parametrize(
    "text", ["", "the flurb is in the grok", "put the mug in the", "make it nice and then some", "asdf"]
)
def test_what_is_not_understood_whole_is_not_read(text: str) -> None:
    assert RulesReader().read(text) == Reading((), 0.0, "rules")


def test_words_mean_other_things_behind_a_question() -> None:
    reader = RulesReader()
    for text, meaning in (
        ("the red one", "choose(red one)"),
        ("whichever", "any"),
        ("yeah sure", "yes"),
        ("the left", "choose(left one)"),
    ):
        assert write_meaning(reader.read(text, QUESTION).acts) == meaning
    assert reader.read("sure", ["robot: Done."]).acts != reader.read("sure", QUESTION).acts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("bitte bring mir einen Becher", "German"),
        ("принеси мне яблоко", "Russian"),
        ("りんごを持ってきて", "Japanese"),
        ("dame el tenedor por favor", "Spanish"),
        ("ライトを消して", "Japanese"),
        ("TVを消して", "Japanese"),
        ("TV 켜줘", "Korean"),
        ("sluk lyset", "Danish"),
        ("apaga la luz", "Spanish"),
        ("apaga", "Spanish"),
        ("ferme la fenetre", "French"),
        ("buzdolabini ac", "Turkish"),
        ("zhasni světlo", "Czech"),
        ("tackar, släck lampan", "Swedish"),
        ("put the baguette in the fridge", ""),
        ("put the café au lait on the table", ""),
        ("give Jürgen teh mug", ""),
        ("stil ther?", ""),
        ("ned soep", ""),
        ("la la la", ""),
        ("no", ""),
        ("42 :-)", ""),
    ],
)
def test_other_languages_are_told_by_letters_and_little_words(text: str, language: str) -> None:
    assert language_of(text) == language


def test_what_rules_read_of_the_corpus_is_mostly_right_and_is_not_little() -> None:
    read = [(one, RulesReader().read(one.text, one.before).acts) for one in first_corpus()]
    found = [(one, acts) for one, acts in read if acts]
    right = sum(acts == one.meaning for one, acts in found)
    assert right / len(found) >= 0.85
    assert len(found) / len(read) >= 0.2

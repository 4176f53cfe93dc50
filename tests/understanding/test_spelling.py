"""Words that are mistyped, and words that are not."""

from __future__ import annotations

import json
import re

import pytest

from teach_agents.understanding.requests import CORPUS
from teach_agents.understanding.spelling import corrected
from teach_agents.understanding.tokens import sentences, tokens
from teach_agents.understanding.word_boundaries import bounded


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("frige", "fridge"),
        ("wahs", "wash"),
        ("mircowave", "microwave"),
        ("tosater", "toaster"),
        ("coffeee", "coffee"),
        ("clen", "clean"),
        ("mee", "me"),
        ("itt", "it"),
        ("yoo", "you"),
    ],
)
def test_slips_of_the_pen_are_mended(typed: str, meant: str) -> None:
    assert corrected(typed) == meant


def test_where_a_thing_is_named_its_name_was_meant() -> None:
    assert corrected("wach", named=True) == "watch"
    assert [one.text for one in sentences("bring mee the wach")] == ["bring me the watch"]


@pytest.mark.parametrize("word", ["mug", "plates", "washing", "of", "xq", "zzzzzz", "mug2", "żółw", ""])
def test_other_words_stay_as_they_are(word: str) -> None:
    assert corrected(word) == word


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("put it in themicrowave", "put it in the microwave"),
        ("where is my coffeemug", "where is my coffee mug"),
        ("inthe box", "in the box"),
        ("howmany onthe shelf", "how many on the shelf"),
        ("was hthe mug", "wash the mug"),
        ("bin th ecandle", "bin the candle"),
        ("wheer di d i leave it", "wheer did i leave it"),
        ("the to ilet paper", "the toilet paper"),
        ("wil lyou", "will you"),
    ],
)
def test_spaces_are_put_where_they_belong(typed: str, meant: str) -> None:
    assert " ".join(bounded(typed.split())) == meant


@pytest.mark.parametrize(
    "text", ["hi there robot", "a mug i left on the tv stand", "frige coffe tosater", "zzzzzzqq xq k"]
)
def test_words_that_are_right_or_only_mistyped_stay_apart(text: str) -> None:
    assert bounded(text.split()) == text.split()


def test_what_is_spelt_right_keeps_its_words() -> None:
    told = map(json.loads, (CORPUS / "places.jsonl").read_text(encoding="utf8").splitlines())
    texts = [re.findall(r"[a-z]+(?:'[a-z]+)*", one["text"].lower()) for one in told if one["kind"] != "typos"]
    changed = [words for words in texts if bounded(words) != words]
    assert len(changed) <= len(texts) * 0.003, changed


def test_off_that_lost_a_letter_is_no_of() -> None:
    assert [one.text for one in sentences("turn the tap of, will you")] == ["turn the tap off , will you"]
    assert [one.text for one in sentences("is it on or of?")] == ["is it on or off"]
    assert [one.text for one in sentences("turn the top of the box")] == ["turn the top of the box"]


def test_a_word_that_was_said_once_is_taken_for_the_name_of_a_thing_behind_the() -> None:
    assert corrected("flor", named=True) == "floor" and corrected("flor") == "flor"
    assert corrected("lace", named=True) == "lace"


def test_two_letters_that_changed_places_make_no_other_word_of_a_name() -> None:
    assert [one.text for one in sentences("get the spary bottel")] == ["get the spray bottle"]
    assert corrected("sopa", named=True) == "soap"
    assert corrected("plates", named=True) == "plates"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("putthemuginthesink", "put the mug in the sink"),
        ("pleaseopenthefridge!", "please open the fridge"),
        ("whereismyphone", "where is my phone"),
        ("bringme theredbook", "bring me the red book"),
        ("put my keysi n the box", "put my keys in the box"),
        ("go to the windo n wipe it", "go to the window and wipe it"),
        ("open the dor im here", "open the door i am here"),
        ("tosat some bread", "toast some bread"),
    ],
)
def test_words_run_together_or_with_a_letter_moved_are_read(typed: str, meant: str) -> None:
    assert [one.text for one in sentences(typed)] == [meant]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("get the tenis ball", "get the tennis ball"),
        ("put the basket ball on the bed", "put the basketball on the bed"),
        ("open the cup board", "open the cupboard"),
        ("hand me the baseballbat", "hand me the baseball bat"),
        ("fetch my tennisracket", "fetch my tennis racket"),
        ("bring me thes poon", "bring me the spoon"),
        ("closet he fridge", "close the fridge"),
        ("put the plat in the sink", "put the plate in the sink"),
        ("slice the tomto", "slice the tomato"),
        ("fins my keys", "find my keys"),
        ("pic up the pillow", "pick up the pillow"),
        ("thank you now pic up my book", "thank you now pick up my book"),
        ("inthe sink", "in the sink"),
        ("what he wants", "what he wants"),
        ("put it on the left over there", "put it on the left over there"),
        ("show me the pic", "show me the pic"),
    ],
)
def test_names_and_verbs_are_mended_where_they_stand(typed: str, meant: str) -> None:
    assert [one.text for one in sentences(typed)] == [meant]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gt me the knf", "get me the knife"),
        ("brng th twl", "bring the towel"),
        ("wsh th plts", "wash the plates"),
        ("put it in the frdg", "put it in the fridge"),
        ("opn th drwr", "open the drawer"),
        ("the mg", "the mug"),
        ("cn you fll the bttl", "can you fill the bottle"),
        ("hmm", "hmm"),
        ("shh", "shh"),
        ("grr brr psst", "grr brr psst"),
        ("ask dr brown", "ask dr brown"),
        ("turn the tv on", "turn the tv on"),
    ],
)
def test_words_without_their_vowels_are_read(typed: str, meant: str) -> None:
    assert [one.text for one in sentences(typed)] == [meant]


def test_a_name_of_somebody_is_no_slip() -> None:
    assert tokens("The mug is Lisa's, give it to Lisa") == "the mug is lisa 's , give it to lisa".split()
    assert tokens("open The Frige") == ["open", "the", "fridge"]

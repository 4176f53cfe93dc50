"""Requests tagged for the heads, varied, and made up; readings judged."""

from __future__ import annotations

from random import Random

import pytest

from teach_agents.learning.reading.alignment import Tagged, tagged
from teach_agents.learning.reading.augmentation import Variations
from teach_agents.learning.reading.synthesis import Rehearsal, things_of
from teach_agents.understanding.heads.tags import acts_of
from teach_agents.understanding.matching import calibration_error, calibration_error_of_widths, same, same_acts
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.requests import Request, corpus


def _request(text: str, meaning: str) -> Request:
    return Request(text, "plain", read_meaning(meaning))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Put the dirty plates in the sink, then wash them.", "put(all dirty plate, in sink); wash(them)"),
        ("if the fridge is open close it", "if(fridge: open) close(it)"),
        ("hey, don't open any of the drawers", "never(open(any drawer))"),
        ("is the oven still on?", "?state(oven: on)"),
        ("the mug is in the cabinet", "fact(mug @in cabinet)"),
        ("put the fork and the knife on the table", "put(fork, on table); put(knife, on table)"),
        ("do the dishes", "wash(all dirty dish)"),
        ("go three steps forward", "step_forward(3)"),
    ],
)
def test_a_meaning_is_found_in_its_words_and_read_from_their_tags(text: str, meaning: str) -> None:
    found = tagged(_request(text, meaning))
    assert found is not None
    assert write_meaning(acts_of(found.words, found.parts)) == meaning


def test_what_the_words_do_not_say_is_not_tagged() -> None:
    assert tagged(_request("same again", "get(mug)")) is None


def _some(number: int) -> list[Tagged]:
    return [one for one in map(tagged, corpus()[:number]) if one is not None and one.words]


def _consistent(one: Tagged) -> bool:
    ends = [part.end for part in one.parts]
    starts = [part.start for part in one.parts]
    whole = starts[0] == 0 and ends[-1] == len(one.words) and starts[1:] == ends[:-1]
    inside = all(0 <= span.start < span.end <= len(one.words) for part in one.parts for span in part.spans)
    return whole and inside and all(part.start < part.end for part in one.parts)


def test_requests_stay_whole_when_they_are_varied() -> None:
    requests = _some(150)
    assert len(requests) > 120 and all(map(_consistent, requests))
    variations = Variations(requests, Random(1))
    varied = [variations.varied(one) for one in requests]
    assert all(map(_consistent, varied))
    assert sum(one.words != other.words for one, other in zip(requests, varied, strict=True)) > 50


def test_without_noise_no_words_and_signs_are_lost() -> None:
    whole = tagged(_request("hello there, how are you today, my friend?", "hello"))
    assert whole is not None
    requests = [*_some(20), whole]
    plain = [Variations(requests, Random(seed), noise=False).varied(whole).words for seed in range(50)]
    noisy = [Variations(requests, Random(seed)).varied(whole).words for seed in range(50)]
    assert all(words[: len(whole.words)] == whole.words for words in plain)
    assert any(len(words) < len(whole.words) for words in noisy)


def test_made_up_requests_have_meanings_in_the_notation() -> None:
    rehearsal = Rehearsal(things_of(_some(100)), ["robot: Which one?"], Random(2))
    made = [rehearsal.request() for _ in range(300)]
    assert all(map(_consistent, made))
    assert len({part.name for one in made for part in one.parts}) > 60
    for one in made:
        assert acts_of(one.words, one.parts)


def test_readings_are_judged_by_acts_and_slots() -> None:
    def judged(one: str, other: str) -> bool:
        return same(read_meaning(one), read_meaning(other))

    assert judged("close(front_door)", "close(front door)")
    assert judged("chat(hi there you)", "chat(you)")
    assert judged("never(put(any fork, in sink))", "never(put(all fork, in sink))")
    assert not judged("put(any fork, in sink)", "put(all fork, in sink)")
    assert not judged("get(mug)", "get(mug); get(mug)")
    assert same_acts(read_meaning("get(mug)"), read_meaning("get(fork)"))
    assert not same_acts(read_meaning("never(open(door))"), read_meaning("never(close(door))"))


def test_confidence_that_is_right_on_average_has_no_error() -> None:
    assert calibration_error([(0.5, True), (0.5, False)], bins=1) == 0.0
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error_of_widths([(0.52, True), (0.58, False)]) == pytest.approx(0.05)
    assert calibration_error_of_widths([(0.1, False), (1.0, True), (0.95, False)]) == pytest.approx((0.1 + 0.95) / 3)

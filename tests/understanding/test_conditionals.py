"""What is to be done in one case and in the other, each way read by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from teach_agents.core.dialogue import Reading
from teach_agents.understanding.conditionals import read_branches, with_branches, with_polarity
from teach_agents.understanding.matching import same
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.rules_reader import RulesReader


def _read(text: str, recent: Sequence[str] = ()) -> Reading:
    """As rules read a part; what only heads read is told."""
    told = {
        "put the key in and close it.": "put(key); close(it)",
        "wash it and then bring it.": "wash(it); get(it)",
        "Has anyone cut the tomato yet?": "?did(slice(tomato))",
        "If there is water in the cup pour it out.": "if(water @in cup) pour(it)",
        "If the toilet lid is up, put it down and bring me the candle.": "if(toilet_lid: open) drop(it); get(candle)",
        "If it's down, just bring me the book.": "if(it: closed) get(book)",
        "If you find my watch, bring it.": "if(watch) get(it)",
        "If it's not in here get the remote.": "unless(it @in here) get(remote)",
        "How many rolls are on the toilet?": "?count(toilet_paper @on toilet)",
        "have the bin.": "unclear",
        "If there's still something in it, pour it out.": "if(something @in it) pour(it)",
    }
    meaning = told.get(text)
    return RulesReader().read(text, recent) if meaning is None else Reading(read_meaning(meaning), 0.5, "heads")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (
            "Is the plate dirty? If yes, put it in the sink, otherwise on the table.",
            "if(plate: dirty) put(it, in sink); unless(plate: dirty) put(it, on table)",
        ),
        (
            "look at the plate, if it is dirty wash it, if it is clean put it on the table",
            "look_at(plate); if(plate: dirty) wash(it); if(plate: clean) put(it, on table)",
        ),
        (
            "Check if the plate is dirty. If yes, put it in the sink. If no, put it on the table.",
            "if(plate: dirty) put(it, in sink); unless(plate: dirty) put(it, on table)",
        ),
        (
            "Is the lamp on? If it is, switch it off, and if it isn't, switch it on.",
            "if(lamp: on) turn_off(it); unless(lamp: on) turn_on(it)",
        ),
        (
            "Is the fork dirty? If so wash it, or else put it in the drawer. Then lights off.",
            "if(fork: dirty) wash(it); unless(fork: dirty) put(it, in drawer); turn_off(all light)",
        ),
        (
            "Is the fork dirty? yes: wash it, no: put it in the drawer",
            "if(fork: dirty) wash(it); unless(fork: dirty) put(it, in drawer)",
        ),
        (
            "Is the mug clean? Bring it if it is, otherwise wash it.",
            "if(mug: clean) get(it); unless(mug: clean) wash(it)",
        ),
        (
            "Is the potato cooked? Cooked: put it in the fridge. Raw: cook it and put it on the plate.",
            "if(potato: cooked) put(it, in fridge); if(potato: raw) cook(it); if(potato: raw) put(it, on plate)",
        ),
        (
            "Is the watch in the safe? Then bring it. If not, put the key in and close it.",
            "if(watch @in safe) get(it); unless(watch @in safe) put(key, in safe); unless(watch @in safe) close(it)",
        ),
        (
            "If there is water in the cup pour it out. If it's empty fill it and put it in the fridge.",
            "if(water @in cup) pour(it); unless(water @in cup) fill(it); unless(water @in cup) put(it, in fridge)",
        ),
        (
            "If the toilet lid is up, put it down and bring me the candle. If it's down, just bring me the book.",
            "if(toilet_lid: open) drop(it); if(toilet_lid: open) get(candle); if(toilet_lid: closed) get(book)",
        ),
        (
            "If you find my watch, bring it. If it's not in here get the remote.",
            "if(watch) get(it); unless(watch) get(remote)",
        ),
        (
            "If the mug is empty, put it in the sink. If there's still something in it, pour it out.",
            "if(mug: empty) put(it, in sink); unless(mug: empty) pour(it)",
        ),
    ],
)
def test_each_way_hangs_on_what_was_asked(text: str, meaning: str) -> None:
    found = read_branches(text, (), _read)
    assert found is not None
    assert same(found.acts, read_meaning(meaning)), write_meaning(found.acts)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (
            "If the plate is clean, put it on the table, otherwise wash it first.",
            "unless(plate: clean) wash(it); put(plate, on table)",
        ),
        (
            "Has anyone cut the tomato yet? If so put the knife in the sink, otherwise slice it before that.",
            "unless(tomato: sliced) slice(it); put(knife, in sink)",
        ),
        (
            "Is the mug dirty? If so wash it and then bring it. If it isn't, wash the cup beforehand.",
            "if(mug: dirty) wash(it); unless(mug: dirty) wash(cup); get(mug)",
        ),
    ],
)
def test_what_is_done_first_in_one_case_comes_before_what_is_done_in_both(text: str, meaning: str) -> None:
    found = read_branches(text, (), _read)
    assert found is not None
    assert same(found.acts, read_meaning(meaning)), write_meaning(found.acts)


@pytest.mark.parametrize(
    "text",
    [
        "If the lamp is on, switch it off.",
        "Wash the fork. Put it in the drawer.",
        "How many rolls are on the toilet? If yes, get the book. If no, get the pen.",
        "Is the fork dirty? If so wash it. If not, have the bin.",
        "Close the drawer if you can.",
    ],
)
def test_what_has_no_two_ways_or_is_not_read_whole_is_left(text: str) -> None:
    assert read_branches(text, (), _read) is None


def test_a_whole_that_tells_ways_apart_counts_where_the_parts_are_no_surer() -> None:
    text = "Has anyone cut the tomato yet? If so get the fork, if not slice it."
    whole = Reading(read_meaning("if(tomato: sliced) get(fork); unless(tomato: sliced) slice(tomato)"), 0.5, "heads")
    assert with_branches(whole, text, (), _read) == whole
    lost = Reading(read_meaning("if(tomato: sliced) get(fork); if(tomato: sliced) slice(it)"), 0.5, "heads")
    assert len({act.condition for act in with_branches(lost, text, (), _read).acts}) == 2


@pytest.mark.parametrize(
    ("text", "read", "meaning"),
    [
        (
            "Would you have a look whether the mug is clean, and wash it if not?",
            "if(mug: clean) wash(it)",
            "unless(mug: clean) wash(it)",
        ),
        (
            "Could you check whether the fridge is shut, dear, and close it if it isn't?",
            "if(fridge: closed) close(it)",
            "unless(fridge: closed) close(it)",
        ),
        (
            "see that the blinds are open, open them if they're not please",
            "if(all blind: open) open(them)",
            "unless(all blind: open) open(them)",
        ),
        (
            "look whether the drawer is open and close it if so",
            "unless(drawer: open) close(it)",
            "if(drawer: open) close(it)",
        ),
        (
            "check if the lamp is lit and switch it off if it is, thanks",
            "if(lamp: on) turn_off(it)",
            "if(lamp: on) turn_off(it)",
        ),
        (
            "check whether the pan isn't dirty and wash it if it is",
            "if(pan: dirty) wash(it)",
            "if(pan: dirty) wash(it)",
        ),
        (
            "have a look at the plate and wash it if it's not clean",
            "unless(it: clean) wash(it)",
            "unless(it: clean) wash(it)",
        ),
        (
            "check whether the tap is on, and turn it off if it is",
            "unless(tap: off) turn_off(it)",
            "unless(tap: off) turn_off(it)",
        ),
    ],
)
def test_what_is_done_if_it_is_not_so_goes_by_what_was_asked(text: str, read: str, meaning: str) -> None:
    found = with_polarity(Reading(read_meaning(read), 0.3, "heads"), text)
    assert write_meaning(found.acts) == meaning

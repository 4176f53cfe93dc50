"""Meanings in a line, and back; the corpus of requests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Slot
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.requests import KINDS, corpus, masked, read_requests


def test_a_meaning_has_acts_in_order_with_what_they_are_about() -> None:
    table = Phrase("table")
    plates = Phrase("plate", "all", ("dirty",), ("on", table))
    assert read_meaning("put(all dirty plate @on table, in sink); wash(them, with sponge)") == (
        DialogueAct(Act.ORDER, "put", (Slot("", plates), Slot("in", Phrase("sink")))),
        DialogueAct(Act.ORDER, "wash", (Slot("", Phrase("them")), Slot("with", Phrase("sponge")))),
    )
    (closing,) = read_meaning("unless(it: open) close(fridge)")
    assert closing.condition == Condition(Phrase("it"), "open", holds=False)
    assert read_meaning("?state(fridge: open)")[0].slots == (Slot(":open", Phrase("fridge")),)
    assert read_meaning("chat(how are you)")[0].about == "how are you"


def test_acts_speak_of_acts_or_of_things() -> None:
    (never, cancel, gone) = read_meaning("never(open(any drawer)); cancel(wash(mug)); cancel(mug)")
    assert never.of == (DialogueAct(Act.ORDER, "open", (Slot("", Phrase("drawer", "any")),)),)
    assert cancel.of[0].about == "wash" and not gone.of and gone.slots[0].phrase.noun == "mug"
    (waits,) = read_meaning("not_until(serve(soup), table: clean)")
    assert waits.of[0].about == "serve" and waits.slots == (Slot(":clean", Phrase("table")),)


@pytest.mark.parametrize(
    "line",
    [
        "get(2 red mug +coffee)",
        "open(top drawer of dresser @near bed)",
        "if(have mug) put(it, in sink); stop; hello",
        "fact(guests tonight); fact(mug @in cabinet); fact(toaster: broken)",
        "get(something @near toaster); do(dance for me); other_language(German); unclear",
    ],
)
def test_what_is_written_reads_the_same(line: str) -> None:
    assert write_meaning(read_meaning(line)) == line


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("gett(mug)", "no such act"),
        ("?mug", "no such act"),
        ("order(mug)", "no such act"),
        ("get(mug", "brackets do not close"),
        ("get()", "is no description"),
        ("get(mug @beside sink)", "no such relation"),
        ("", "is no act"),
    ],
)
def test_what_is_no_meaning_is_refused_with_what_is_wrong(line: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_meaning(line)


def test_a_line_that_is_no_request_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    for line in (
        "{",
        "[]",
        '{"text": "x", "kind": "plain", "meaning": "gett"}',
        '{"text": "x", "kind": [], "meaning": "stop"}',
        '{"text": "x", "kind": "k", "meaning": "stop"}',
    ):
        file.write_text(f'{{"text": "stop", "kind": "control", "meaning": "stop"}}\n{line}\n')
        with pytest.raises(InputError, match=r"own\.jsonl, line 2"):
            list(read_requests(file))


def test_nouns_numbers_and_courtesies_make_no_difference() -> None:
    assert masked("Could you please get me two forks?") == masked("get me 3 coffee mugs, thanks") == "get me # N"
    assert masked("get me a fork") != masked("get a fork for me")


def test_the_corpus_is_as_large_and_as_varied_as_it_says() -> None:
    requests = corpus()
    assert len({(masked(one.text), one.before) for one in requests}) >= 2500
    kinds = Counter(one.kind for one in requests)
    assert kinds.keys() == KINDS and min(kinds.values()) >= 80
    assert all(one.text.strip() and one.meaning for one in requests)
    lines = [(one, written) for one in requests for written in one.before]
    assert all(written.startswith(("person: ", "robot: ", "did: ")) for _, written in lines)

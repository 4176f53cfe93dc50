"""Stop, wait and go on, as people say it, are heard without a model, and nothing else is taken for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from teach_agents.core.control import control_of, hurries
from teach_agents.core.dialogue import Act
from teach_agents.understanding.requests import CORPUS, Request, corpus, first_corpus, read_requests

_CONTROL = {Act.STOP, Act.WAIT, Act.RESUME}
_ENDS = {Act.NEVER, Act.CANCEL}
"""What is done right, too, where it is stopped: "stop touching my pens"."""


class _Counts(NamedTuple):
    heard: int
    missed: int
    mistaken: int


def _counted(requests: Sequence[Request], *, ends: set[Act]) -> _Counts:
    heard = missed = mistaken = 0
    for request in requests:
        acts = {act.act for act in request.meaning}
        meant = {act.act for act in request.meaning[:1]} & _CONTROL
        found = control_of(request.text, ["follower"])
        heard += found is not None and found in meant
        missed += found is None and bool(meant)
        mistaken += found is not None and not acts & (_CONTROL | (ends if found is Act.STOP else set()))
    return _Counts(heard, missed, mistaken)


def test_nearly_all_that_is_put_plainly_is_heard_and_next_to_nothing_mistaken() -> None:
    found = _counted(first_corpus(), ends=set())
    assert found.heard >= 80 and found.missed <= 0.2 * found.heard and found.mistaken <= 0.003 * len(first_corpus())


def test_most_is_heard_however_it_is_put() -> None:
    tidy = tuple(request for path in sorted(CORPUS.glob("?.jsonl")) for request in read_requests(path))
    for requests, least in ((tidy, 1.4), (corpus(), 1.1)):
        found = _counted(requests, ends=_ENDS)
        assert found.heard >= least * found.missed and found.mistaken <= 0.0035 * len(requests)


@pytest.mark.parametrize(
    "text",
    [
        "Quit dawdling, will you!",
        "stop wasting time",
        "no more faffing about",
        "Don't take all day",
        "stop standing around",
    ],
)
def test_what_wants_more_haste_is_no_stop(text: str) -> None:
    assert hurries(text) and control_of(text) is None


@pytest.mark.parametrize("text", ["Quit moving, will you!", "stop walking", "stop it now", "Don't move"])
def test_what_wants_an_end_is_no_haste(text: str) -> None:
    assert not hurries(text) and control_of(text) is Act.STOP

"""How much of the corpus's stops and waits is carried out at once, and what is taken for one that is none."""

from __future__ import annotations

from teach_agents.core.control import control_of
from teach_agents.understanding.requests import first_corpus

_CONTROL = {"stop", "wait", "resume"}


def test_nearly_all_is_heard_and_next_to_nothing_mistaken() -> None:
    heard = missed = mistaken = 0
    for request in first_corpus():
        meant = {act.act.value for act in request.meaning[:1]} & _CONTROL
        found = control_of(request.text, ["follower"])
        heard += found is not None and found.value in meant
        missed += found is None and bool(meant)
        mistaken += found is not None and not _CONTROL & {act.act.value for act in request.meaning}
    assert heard >= 80 and missed <= 0.2 * heard and mistaken <= 0.003 * len(first_corpus())

"""What lives for long is not looked through again and again."""

from __future__ import annotations

import gc
import sys
from weakref import ref

import pytest
from teach_agents_serve.sharing_time import GivenUp, serving_many


class _Circle:
    def __init__(self) -> None:
        self.own = self


def test_what_outlived_a_collection_is_left_out_of_the_next() -> None:
    before = gc.get_threshold(), sys.getswitchinterval(), len(gc.callbacks)
    gc.freeze()  # what other tests left behind
    with serving_many():
        old = gc.get_freeze_count()
        kept = _Circle()
        lasting = ref(kept)
        gc.collect()
        assert gc.get_freeze_count() > old
        del kept
        gc.collect()
        assert lasting() is not None
        fresh = _Circle()
        lost = ref(fresh)
        del fresh
        gc.collect()
        assert lost() is None
    assert (gc.get_threshold(), sys.getswitchinterval(), len(gc.callbacks)) == before
    assert gc.get_freeze_count() == 0


def test_what_was_given_up_is_looked_for_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, looked = list[int](), list[int]()
    monkeypatch.setattr(gc, "unfreeze", lambda: looked.append(len(counts)))
    given_up = GivenUp()
    while len(counts) < 130:
        given_up.add()
        counts.append(1)
    assert looked == [63, 127]

"""What lives for long is not looked through again and again."""

from __future__ import annotations

import gc
import sys
from weakref import ref

from teach_agents_serve.sharing_time import GivenUp, serving_many


class _Circle:
    def __init__(self) -> None:
        self.own = self


def test_what_outlived_a_collection_is_left_out_of_the_next() -> None:
    before = gc.get_threshold(), sys.getswitchinterval(), len(gc.callbacks)
    with serving_many():
        kept = _Circle()
        seen = ref(kept)
        gc.collect()
        assert gc.get_freeze_count() > 0
        del kept
        gc.collect()
        assert seen() is not None
        fresh = _Circle()
        lost = ref(fresh)
        del fresh
        gc.collect()
        assert lost() is None
        given_up = GivenUp()
        for _ in range(64):
            given_up.add()
        gc.collect()
        assert seen() is None
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), sys.getswitchinterval(), len(gc.callbacks)) == before
    assert gc.get_freeze_count() == 0

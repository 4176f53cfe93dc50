"""Where to stand: what is in an open vessel is looked at from above."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.agents.acting.vantages import sights, weighed
from tests.agents.acting.making import row, things


@pytest.mark.parametrize(("lies", "hidden"), [(0.05, True), (0.65, False)])
def test_walls_of_a_bin_hide_what_lies_in_it_from_afar(lies: float, hidden: bool) -> None:
    room = things(
        row("GarbageCan", 0, at=(0.0, 0.3, 0.0), size=(0.4, 0.6, 0.4), receptacle=True),
        row("CreditCard", 0, "GarbageCan|0", at=(0.0, lies, 0.0), size=(0.05, 0.01, 0.05), pickupable=True),
    )
    card = room.of("CreditCard")[0]
    near, far = (weighed(card, room, sights(card, np.array([[0, z]]), 0.9, ())).penalties.min() for z in (-2, -4))
    assert bool(far - near > 8.0) is hidden

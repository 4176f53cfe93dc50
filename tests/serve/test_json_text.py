"""JSON, whatever a session holds."""

from __future__ import annotations

import json
import math

import pytest
from teach_agents_serve.live_store import json_text

from teach_agents.actions import Role


@pytest.mark.parametrize(
    "value",
    [
        {"x": 0.9499999999999998, "y": -0.0, "z": 1e22, "small": 5e-324, "count": 1 << 80, "role": "follower"},
        {"text": 'caf\u00e9 \u2028 \U0001f44b \x00 " \\', "none": None, "yes": True, "list": [[], {}, [1.5]]},
        {"half": "\ud83d"},
    ],
)
def test_what_is_written_is_read_as_it_was(value: dict[str, object]) -> None:
    assert json.loads(json_text(value)) == value


def test_what_python_knows_besides() -> None:
    assert json.loads(json_text({"role": Role.FOLLOWER, "at": (1, 2.0)})) == {"role": "follower", "at": [1, 2.0]}
    assert math.isnan(json.loads(json_text([math.nan]))[0])
    with pytest.raises(TypeError):
        json_text({"what": object()})

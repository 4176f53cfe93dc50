"""Without an extra's packages everything imports, and an error names the extra."""

from __future__ import annotations

import sys

import pytest

from teach_agents.errors import MissingExtraError
from teach_agents.models import load_model


@pytest.mark.parametrize(
    ("spec", "package", "extra"),
    [
        ("hf:somewhere", "transformers", "models"),
        ("http://127.0.0.1:9/v1#small", "httpx2", "remote"),
        ("langchain:openai:small", "langchain", "langchain"),
    ],
)
def test_the_extra_is_named(spec: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"teach-agents\[{extra}\]"):
        load_model(spec).generate(["Hello."])

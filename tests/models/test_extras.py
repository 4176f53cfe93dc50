"""Without an extra's packages everything imports, and an error names the extra."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from teach_agents.errors import MissingExtraError, ModelMissingError
from teach_agents.models import load_model
from teach_agents.models.local.smollm2 import SMOLLM2


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
        load_model(spec)


def test_weights_that_could_not_be_converted_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "transformers", None)
    told: list[str] = []
    with pytest.raises(MissingExtraError, match=r"teach-agents\[models\]"):
        SMOLLM2.fetch(told.append)
    assert told == []


@pytest.mark.parametrize("spec", ["hf:/no/such/folder", "hf:./small", "hf:a/b/c"])
def test_a_folder_that_is_not_there_is_refused_at_once(spec: str) -> None:
    with pytest.raises(ModelMissingError, match="there is no such folder"):
        load_model(spec)

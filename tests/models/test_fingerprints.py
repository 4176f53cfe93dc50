"""What tells one set of weights from another."""

from __future__ import annotations

import re
from pathlib import Path

from teach_agents.models import Batched, Counted, ScriptedModel, load_model
from tests.models import tiny


def test_weights_are_told_apart_by_their_fingerprints(chat_folder: Path, tmp_path: Path) -> None:
    model = load_model(f"hf:{chat_folder},dtype=float32")
    assert re.fullmatch("[0-9a-f]{12}", model.fingerprint)
    assert Counted(Batched(model)).fingerprint == model.fingerprint == load_model(f"hf:{chat_folder}").fingerprint
    adapter = tiny.build_adapter(tmp_path / "adapter", chat_folder)
    assert load_model(f"hf:{chat_folder},adapter={adapter},dtype=float32").fingerprint != model.fingerprint
    assert model.gathers


def test_a_model_without_weights_has_none() -> None:
    assert ScriptedModel("yes").fingerprint == ""
    assert not ScriptedModel("yes").gathers

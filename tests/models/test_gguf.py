from __future__ import annotations

import os
from pathlib import Path

import pytest

from teach_agents.errors import InputError, ModelError
from teach_agents.models import Choices, Prompt, Settings, load_model
from tests.models import tiny

pytest.importorskip("gguf")
from teach_agents.models.local.gguf import converted  # after the check


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def test_a_file_is_converted_once_and_anew_when_it_changes(
    tmp_path: Path, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tiny.build_gguf(tmp_path / "tiny.gguf")
    told: list[str] = []
    folder = converted(file, tell=told.append)
    assert folder.parent == cache and (folder / "model.safetensors").exists()
    assert told[0].startswith("converting tiny.gguf, once") and told[1:] == ["writing"]
    assert converted(file, tell=told.append) == folder and len(told) == 2
    os.utime(file, (1, 1))
    assert converted(file) != folder
    assert capfd.readouterr().err == ""


def test_what_was_converted_chats(tmp_path: Path, cache: Path) -> None:
    model = load_model(f"gguf:{tiny.build_gguf(tmp_path / 'tiny.gguf')}")
    prompts = [Prompt.of("Hello.", settings=Settings(max_tokens=5)), Prompt.of("Which?", Choices(["a", "b"]))]
    said, chosen = model.generate(prompts)
    assert said.usage.prompt_tokens > 3 and said.error is None and chosen.value in ("a", "b")


def test_what_is_no_gguf_file_is_refused(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "other").write_bytes(b"PK\x03\x04")
    (tmp_path / "damaged").write_bytes(b"GGUF and then nothing")
    with pytest.raises(InputError, match="no such file"):
        converted(tmp_path / "nothing")
    with pytest.raises(InputError, match="is no GGUF file"):
        converted(tmp_path / "other")
    with pytest.raises(ModelError, match="cannot be converted"):
        converted(tmp_path / "damaged")
    assert [path.name for path in cache.iterdir() if path.is_dir()] == []

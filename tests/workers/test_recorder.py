from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from teach_agents.core.bus import MemoryBus
from teach_agents.core.messages import ENVIRONMENT, RECORDER, LineAsked, LineKept, Message, Payload, RecordFailed
from teach_agents.errors import RecordError
from teach_agents.workers.recorder import Recorder
from tests.workers.stage import undisturbed


def _answered(recorder: Recorder, payload: Payload) -> Payload | None:
    asked = Message(session="s", sequence=0, sender=ENVIRONMENT, recipient=RECORDER, correlation="c", payload=payload)
    return asyncio.run(recorder._answer(asked))


def test_each_line_is_kept_once(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "r.jsonl", MemoryBus(), "s")
    for number, line in ((0, "{}"), (0, "{}"), (1, "[]"), (1, "[]")):
        assert _answered(recorder, LineAsked(number=number, line=line)) == LineKept(number=number)
    for number, line in ((0, "[]"), (3, "{}")):
        refused = _answered(recorder, LineAsked(number=number, line=line))
        assert isinstance(refused, RecordFailed) and f"line {number} does not go with the 2 lines" in refused.problem
    recorder.leave()
    assert (tmp_path / "r.jsonl").read_text() == "{}\n[]\n"


def test_a_line_that_was_cut_short_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    whole = undisturbed(path)
    lines = whole.decode().splitlines()
    for cut in (whole[:30], whole[: len(lines[0]) + 20], whole[:-1]):
        path.write_bytes(cut)
        recorder = Recorder(path, MemoryBus(), "s")
        for number, line in enumerate(lines):
            assert _answered(recorder, LineAsked(number=number, line=line)) == LineKept(number=number)
        recorder.leave()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("content", [b"my diary", b"my diary\n", b"{}\n"])
def test_another_file_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    with pytest.raises(RecordError):
        Recorder(tmp_path / "r.jsonl", MemoryBus(), "s")
    assert (tmp_path / "r.jsonl").read_bytes() == content


def test_the_record_of_another_session_is_left_as_it_is(tmp_path: Path) -> None:
    whole = undisturbed(tmp_path / "r.jsonl")
    with pytest.raises(RecordError, match="record of another session"):
        Recorder(tmp_path / "r.jsonl", MemoryBus(), "other")
    assert (tmp_path / "r.jsonl").read_bytes() == whole

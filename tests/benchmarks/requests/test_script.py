from __future__ import annotations

import json
from pathlib import Path

import pytest

from teach_agents.understanding.requests import corpus
from tests.scripts import benchmark


def test_writers_of_cases_are_helped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = benchmark("requests_cases", monkeypatch)
    assert script.main(["room", "FloorPlan1"]) == 0
    assert "  Fridge: Egg" in capsys.readouterr().out
    told = {"kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Bring me the apple."]}
    good = {"id": "good", **told, "check": {"true": ["Apple held"]}}
    bad = {"id": "bad", **told, "setup": ["hold Apple"], "check": {"true": ["Apple held"]}}
    cases = tmp_path / "cases.jsonl"
    calm = [{**good, "id": name, "pair": "q", "check": {"true": ["still"]}} for name in ("calm", "calmer")]
    cases.write_text("".join(json.dumps(one) + "\n" for one in (good, bad, *calm)))
    assert script.main(["check", str(tmp_path)]) == 1
    told_wrong = capsys.readouterr().out
    assert "'bad': its check holds before" in told_wrong and "'calm': `still` alone cannot be won" in told_wrong
    cases.write_text("".join(json.dumps(one) + "\n" for one in (good, bad)))
    monkeypatch.setattr(script, "corpus", lambda: [one for one in corpus() if one.kind == "plain"][:500])
    assert script.main(["overlap", str(tmp_path)]) == 0
    assert "2 of 2, 100.0%" in capsys.readouterr().out

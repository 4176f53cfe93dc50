"""Training an adapter: what it learns, stopping and going on, what is written, what is refused."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.errors import InputError, SpecError, TeachAgentsError
from teach_agents.learning.demonstrations import write_demonstrations
from teach_agents.learning.settings import Limits, TrainingSettings

torch = pytest.importorskip("torch")
pytest.importorskip("peft")
safetensors = pytest.importorskip("safetensors.torch")
from teach_agents.learning.loop import (  # noqa: E402  # after the check
    BY_KEY,
    CHECKPOINT,
    LOG,
    Progress,
    learning_rate,
)
from teach_agents.learning.lora import Adapter, adapt  # noqa: E402  # the same
from teach_agents.learning.packing import planned  # noqa: E402  # the same
from teach_agents.learning.running import train  # noqa: E402  # the same
from teach_agents.learning.samples import digest, samples_of  # noqa: E402  # the same
from teach_agents.learning.training import Training  # noqa: E402  # the same
from teach_agents.learning.trees import check_reads_trees  # noqa: E402  # the same
from teach_agents.models.local.weights import Source, read_weights  # noqa: E402  # the same
from tests.learning.conftest import Watching, sessions  # noqa: E402  # the same

FILES = ("adapter_config.json", "adapter_model.safetensors")


def _log(out: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (out / LOG).read_text("utf8").splitlines()]
    return [{name: value for name, value in one.items() if "second" not in name and "_s" not in name} for one in lines]


def _interrupt() -> None:
    signal.raise_signal(signal.SIGTERM)


def _crash() -> None:
    raise RuntimeError("the machine went down")


def test_a_training_learns_and_accounts_for_itself(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    watching = Watching()
    out = tmp_path / "out"
    made = train(settings, [data_file], out, limits=Limits(), watcher=watching)
    assert watching.plan is not None and len(watching.plan.steps) == watching.steps[-1] > 5
    assert [one["step"] for one in watching.verdicts] == [0, round(watching.steps[-1] / 2), watching.steps[-1]]
    first, _, last = watching.verdicts
    assert last["loss"] < first["loss"] / 2 and first["chance"] == 0.25 and last["n"] == 4
    assert made == json.loads((out / "training.json").read_text("utf8"))
    assert made["ended"] == "finished" and made["role"] == "follower"
    assert (
        made["data"]["files"][0]["file"] == f"{tmp_path.name}/play.jsonl"
        and len(made["data"]["files"][0]["sha256"]) == 64
    )
    learnt, held_out = made["data"]["learnt"], made["data"]["held_out"]
    assert learnt["sessions"] + held_out["sessions"] == 24 and held_out["sessions"] > 0
    assert made["decisions"] == 2 * learnt["decisions"]
    assert made["tokens"]["read"] == made["tokens"]["planned"] and made["tokens"]["spared_by_packing"] > 0
    assert made["adapter"]["bytes"] == (out / FILES[1]).stat().st_size
    assert made["environment"]["packages"]["peft"] and made["base"]["fingerprint"]
    assert str(tmp_path) not in json.dumps({**made, "settings": {}, "base": {}, "command": ""})
    lines = _log(out)
    assert [one["step"] for one in lines if "check" not in one] == watching.steps


def test_it_goes_on_to_the_byte_as_if_it_had_never_stopped(
    settings: TrainingSettings, data_file: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    train(settings, [data_file], whole, limits=Limits(), watcher=Watching())
    # Interrupted; gone down behind a checkpoint, and before there was any: the step from which each goes on.
    for parts, what, every_s, goes_on in (
        (tmp_path / "interrupted", _interrupt, 1e9, 5),
        (tmp_path / "crashed", _crash, 0.0, 4),
        (tmp_path / "lost", _crash, 1e9, 1),
    ):
        _stopped(settings, data_file, parts, what, every_s)
        going_on = Watching()
        train(settings, [data_file], parts, limits=Limits(), watcher=going_on, resume=True)
        assert going_on.steps[0] == goes_on
        for name in FILES:
            assert (parts / name).read_bytes() == (whole / name).read_bytes()
        assert _log(parts) == _log(whole)


def _stopped(settings: TrainingSettings, data_file: Path, parts: Path, what: Any, every_s: float) -> None:
    """A training that ends behind its fourth step."""
    stopping = Watching(4, what)
    if what is _interrupt:
        made = train(settings, [data_file], parts, limits=Limits(every_s=every_s), watcher=stopping)
        assert (made["ended"], made["steps"]["done"]) == ("interrupted", 4)
    else:
        with pytest.raises(RuntimeError, match="went down"):
            train(settings, [data_file], parts, limits=Limits(every_s=every_s), watcher=stopping)
    assert stopping.steps == [1, 2, 3, 4]


def _training(base: Path) -> tuple[Training, Adapter]:
    """A training in memory, whose first step has several rows."""
    weights = read_weights(Source(str(base), dtype="float32", device="cpu"))
    check_reads_trees(weights, "tiny")
    plan = planned(samples_of(weights, sessions(8)), seed=0, epochs=1, row=192, batch=384)
    assert len(plan.steps[0].rows) > 1
    adapter = adapt(weights, rank=4, alpha=8.0, seed=0)
    return Training(weights, adapter, plan, peak=0.01), adapter


def test_a_step_that_is_stopped_between_rows_changes_nothing(base_folder: Path) -> None:
    stopped, adapter = _training(base_folder)
    asked = iter([False, True])
    assert stopped.step(lambda: next(asked)) is None
    assert stopped.progress == Progress()
    whole, other = _training(base_folder)
    first, second = stopped.step(), whole.step()
    assert first is not None and second is not None and first.loss == second.loss
    assert all(torch.equal(one, other.state[name]) for name, one in adapter.state.items())


def test_an_adapter_is_trained_further(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    first, further = tmp_path / "first", tmp_path / "further"
    before = train(settings, [data_file], first, limits=Limits(), watcher=Watching())
    learnt, watching = before["checks"][-1]["loss"], Watching(1, _interrupt)
    again = replace(settings, start=str(first), seed=5)
    train(again, [data_file], further, limits=Limits(), watcher=watching)
    assert watching.verdicts[0]["step"] == 0 and watching.verdicts[0]["loss"] == pytest.approx(learnt, rel=0.05)
    made = train(again, [data_file], further, limits=Limits(), watcher=Watching(), resume=True)
    start = {"adapter": str(first), "sha256": digest(first / FILES[1]), "account": before}
    assert made["start"] == start and made["steps"]["done"] > 5
    assert (
        train(settings, [data_file], tmp_path / "new", limits=Limits(minutes=1e-9), watcher=Watching())["start"] is None
    )


def test_what_cannot_be_trained_further_is_refused(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    weights = read_weights(Source(settings.base.removeprefix("hf:"), dtype="float32", device="cpu"))
    adapter = adapt(weights, rank=8, alpha=settings.alpha, seed=0)
    other, cut, damaged, told_badly, told_nothing = (
        tmp_path / name for name in ("other", "cut", "damaged", "told-badly", "told-nothing")
    )
    for folder in (other, cut, damaged, told_badly, told_nothing):
        folder.mkdir()
        adapter.write(folder, settings.base)
    (damaged / FILES[1]).write_bytes(b"{}")
    (told_badly / "training.json").write_text('{"ended": ', "utf8")
    (told_nothing / "training.json").write_text("[]", "utf8")
    kept = dict(list(adapter.state.items())[2:])
    (cut / FILES[1]).write_bytes(safetensors.save(kept))
    for start, rank, problem in (
        (other, 4, "is of rank 8, alpha 32; this training has --rank 4 --alpha 32"),
        (cut, 8, "another model than --base"),
        (damaged, 8, "no adapter, or a damaged one"),
        (told_badly, 8, "has a training.json that cannot be read: Expecting value"),
        (told_nothing, 8, "has a training.json that is no JSON object"),
        (tmp_path / "nowhere", 8, "no adapter, or a damaged one: FileNotFoundError"),
    ):
        wanted = replace(settings, rank=rank, start=str(start))
        with pytest.raises(InputError, match=problem) as refused:
            train(wanted, [data_file], tmp_path / "out", limits=Limits(), watcher=Watching())
        assert refused.value.where == "--start" and refused.value.value == str(start)
    with pytest.raises(SpecError, match="default:commander"):
        train(
            replace(settings, start="default:cook"), [data_file], tmp_path / "out", limits=Limits(), watcher=Watching()
        )


def test_when_time_is_over_all_is_kept(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    settings = replace(settings, tokens=800)
    made = train(settings, [data_file], tmp_path, limits=Limits(minutes=1e-9), watcher=Watching())
    assert (made["ended"], made["steps"]["done"]) == ("time", 0)
    assert all((tmp_path / name).is_file() for name in (*FILES, CHECKPOINT))
    watching = Watching()
    assert train(settings, [data_file], tmp_path, limits=Limits(), watcher=watching, resume=True)["ended"] == "finished"
    assert watching.steps[0] == 1


def test_another_seed_is_another_adapter(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    brief = replace(settings, tokens=400, checks=0)
    for name, seed in {"one": 0, "same": 0, "other": 1}.items():
        made = train(replace(brief, seed=seed), [data_file], tmp_path / name, limits=Limits(), watcher=Watching())
        assert 400 <= made["tokens"]["read"] < 1000
    one, same, other = ((tmp_path / name / FILES[1]).read_bytes() for name in ("one", "same", "other"))
    assert one == same != other


def test_what_a_folder_holds_is_not_trained_over(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    brief = replace(settings, tokens=100, checks=0)

    def again(settings: TrainingSettings = brief, resume: bool = True) -> None:
        train(settings, [data_file], tmp_path / "out", limits=Limits(), watcher=Watching(), resume=resume)

    with pytest.raises(InputError, match="no training in this folder"):
        again()
    again(resume=False)
    with pytest.raises(InputError, match="--resume goes on"):
        again(resume=False)
    with pytest.raises(InputError, match="other data, base or settings"):
        again(replace(brief, rank=5))
    write_demonstrations(data_file, sessions(23))
    with pytest.raises(InputError, match="other data, base or settings"):
        again()
    checkpoint = tmp_path / "out" / CHECKPOINT
    checkpoint.write_bytes(checkpoint.read_bytes()[:500])
    with pytest.raises(InputError, match="is no checkpoint, or a damaged one"):
        BY_KEY.read(checkpoint, "")


def test_what_cannot_be_meant_is_refused(settings: TrainingSettings, data_file: Path, tmp_path: Path) -> None:
    for change, words in (
        ({"role": Role.COMMANDER}, "hold no decision of a commander"),
        ({"base": "uniform"}, "model of transformers"),
        ({"held_out": 0.99999}, "hold no decision of a follower to learn from"),
    ):
        with pytest.raises(InputError, match=words):
            train(replace(settings, **change), [data_file], tmp_path / "out", limits=Limits(), watcher=Watching())
    for wrong in (
        {"objective": "joy"},
        {"rank": 0},
        {"learning_rate": 0.0},
        {"held_out": 1.0},
        {"tokens": 0},
        {"seed": -1},
    ):
        with pytest.raises(InputError, match=f"--{next(iter(wrong)).replace('_', '-')}"):
            TrainingSettings(Role.FOLLOWER, **wrong)
    with pytest.raises(InputError, match="--minutes"):
        Limits(minutes=0)
    with pytest.raises(TeachAgentsError, match="lower --learning-rate"):
        wild = replace(settings, learning_rate=1e30, checks=0)
        train(wild, [data_file], tmp_path / "wild", limits=Limits(), watcher=Watching())


def test_the_learning_rate_rises_then_falls() -> None:
    rates = [learning_rate(step, 100, 2.0) for step in range(100)]
    assert rates[:5] == pytest.approx([0.4, 0.8, 1.2, 1.6, 2.0])
    assert all(one > other for one, other in zip(rates[5:], rates[6:], strict=False))
    assert 0.1 < rates[-1] < 0.102
    assert learning_rate(0, 1, 2.0) == 2.0

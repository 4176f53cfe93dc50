"""Rows of packed decisions are trees; reading one is reading its decisions alone."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from teach_agents.errors import InputError
from teach_agents.learning.packing import PackedRow, Sample, pack

torch = pytest.importorskip("torch")
from teach_agents.learning.lora import adapt  # noqa: E402  # after the check
from teach_agents.learning.samples import prompt_of, samples_of  # noqa: E402  # the same
from teach_agents.learning.training import check_reads_trees, logits_of, losses_of  # noqa: E402  # the same
from teach_agents.models.choosing import choose  # noqa: E402  # the same
from teach_agents.models.local.model import TransformersModel  # noqa: E402  # the same
from teach_agents.models.local.weights import Source, Weights, read_weights  # noqa: E402  # the same
from tests.learning.conftest import sessions  # noqa: E402  # the same
from tests.models import tiny  # noqa: E402  # the same


def _samples(count: int = 30) -> list[Sample]:
    """Decisions of sessions in which each prompt is the last one's log and something of its own; some are alike."""
    dice = random.Random(1)
    made: list[Sample] = []
    for session in range(count // 5):
        log = [7, 8, 9]
        for _ in range(5):
            log += dice.choices(range(20, 60), k=dice.randrange(4))
            own = dice.choices(range(60, 64), k=dice.randrange(1, 4))
            made.append(Sample(f"s{session}", (*log, *own), (*dice.choices(range(70, 74), k=dice.randrange(3)), 1)))
    return made


def _ways(row: PackedRow) -> dict[int, list[int]]:
    """The tokens on the way to each place, as the row's spans tell them."""
    found = {}
    for span in row.spans:
        for place in range(span.begin, span.end):
            found[place] = [int(row.tokens[one]) for one in (*span.before, *range(span.begin, place + 1))]
    return found


@pytest.mark.parametrize("room", [1, 40, 100, 10_000])
def test_every_answer_stands_behind_its_own_prompt(room: int) -> None:
    samples = _samples()
    rows = list(pack(enumerate(samples), room))
    assert [number for row in rows for number in row.samples] == list(range(len(samples)))
    for row in rows:
        assert len(row) <= room or len(row.samples) == 1
        ways = _ways(row)
        assert [len(ways[place]) - 1 for place in range(len(row))] == row.positions.tolist()
        heard: dict[int, list[tuple[list[int], int]]] = {}
        for place, token, owner in zip(row.places, row.wanted, row.owners, strict=True):
            heard.setdefault(int(owner), []).append((ways[int(place)], int(token)))
        for owner, number in enumerate(row.samples):
            one = samples[number]
            expected = [([*one.prompt, *one.answer[:at]], token) for at, token in enumerate(one.answer)]
            assert heard[owner] == expected
        assert row.unpacked == sum(len(samples[number].read) for number in row.samples)


def test_what_decisions_share_is_there_once() -> None:
    samples = _samples()
    (row,) = pack(enumerate(samples), 10**6)
    beginnings = {one.read[:size] for one in samples for size in range(1, len(one.read) + 1)}
    assert len(row) == len(beginnings) < row.unpacked / 2
    assert list(pack([], 10)) == []


@pytest.fixture(scope="module")
def weights(base_folder: Path) -> Weights:
    """A tiny model with an adapter that says something."""
    made = read_weights(Source(str(base_folder), dtype="float32", device="cpu"))
    check_reads_trees(made, "tiny")
    adapter = adapt(made, rank=4, alpha=8.0, seed=0)
    dice = torch.Generator().manual_seed(0)
    for one in adapter.parameters:
        torch.nn.init.normal_(one, std=0.3, generator=dice)
    return made


def _trained(weights: Weights) -> list[Any]:
    return [one for one in weights.model.parameters() if one.requires_grad]


def _alone(weights: Weights, one: Sample) -> Any:
    """The loss of a decision as transformers itself computes it, all logits and a causal mask."""
    read = torch.tensor([one.read])
    logits = weights.model(input_ids=read).logits[0, len(one.prompt) - 1 :].log_softmax(-1)
    return -logits[torch.arange(len(one.answer)), torch.tensor(one.answer)].sum()


@pytest.mark.parametrize("real", [True, False])
def test_losses_and_gradients_are_those_of_decisions_read_alone(weights: Weights, real: bool) -> None:
    samples = samples_of(weights, sessions(3)) if real else _samples()
    rows = list(pack(enumerate(samples), 300))
    assert len(rows) < len(samples) / 3
    packed = torch.cat([losses_of(weights, row) for row in rows])
    alone = torch.stack([_alone(weights, one) for one in samples])
    torch.testing.assert_close(packed, alone, rtol=1e-5, atol=1e-4)
    ours = torch.autograd.grad(packed.sum(), _trained(weights))
    theirs = torch.autograd.grad(alone.sum(), _trained(weights))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5 * float(other.abs().max()))
    assert any(float(one.abs().max()) > 1 for one in ours)


def test_the_choice_alone_is_learnt_where_only_candidates_compete(weights: Weights) -> None:
    demonstrations = sessions(4)
    samples = samples_of(weights, demonstrations, "choice")
    (row,) = pack(enumerate(samples), 10**6)
    losses, logits = losses_of(weights, row), logits_of(weights, row)
    by_hand = torch.zeros(len(samples))
    first_is_right = [True] * len(samples)
    for at, (owner, wanted, allowed) in enumerate(zip(row.owners, row.wanted, row.allowed, strict=True)):
        mine = logits[at, torch.from_numpy(allowed)]
        by_hand[owner] += mine.logsumexp(0) - logits[at, wanted]
        first_is_right[owner] &= bool(mine.max() == logits[at, wanted])
    torch.testing.assert_close(losses, by_hand, rtol=1e-5, atol=1e-4)
    assert all(1 <= len(one) < 100 for one in row.allowed) and len(row.allowed[-1]) == 1
    (free,) = pack(enumerate(samples_of(weights, demonstrations)), 10**6)
    assert bool((losses <= losses_of(weights, free)).all()) and row.wanted.tolist() == free.wanted.tolist()
    model = TransformersModel.around(weights, Source("tiny"))
    chosen = choose(model, [prompt_of(one) for one in demonstrations], by="generate")
    for choice, one, is_right in zip(chosen, demonstrations, first_is_right, strict=True):
        assert choice.text == one.choice or not is_right
    assert any(first_is_right) and not all(first_is_right)


def test_logits_are_computed_where_they_are_wanted_alone(weights: Weights) -> None:
    (row,) = pack(enumerate(_samples()), 10**6)
    seen: list[int] = []
    handle = weights.model.lm_head.register_forward_hook(lambda module, given, made: seen.append(made.shape[1]))
    logits = logits_of(weights, row)
    handle.remove()
    assert seen == [len(set(row.places.tolist()))] and logits.shape[0] == len(row.wanted)
    assert seen[0] < len(row) / 2


def test_a_model_that_sees_is_not_trained_here(tmp_path: Path) -> None:
    seeing = read_weights(Source(str(tiny.build_seeing(tmp_path)), dtype="float32", device="cpu"))
    with pytest.raises(InputError, match="cannot be trained here"):
        check_reads_trees(seeing, "llava")

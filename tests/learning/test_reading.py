"""Requests aligned and varied for the heads, what they are to write, and training; readings judged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from teach_agents.errors import InputError
from teach_agents.learning.reading.adapter import Samples
from teach_agents.learning.reading.alignment import Example, descriptions, example
from teach_agents.learning.reading.augmentation import Variations
from teach_agents.learning.reading.calibration import fitted
from teach_agents.learning.reading.training import Settings, held_out, mean_of, symbols_in, train
from teach_agents.learning.reading.words import word_counts
from teach_agents.models.text.minilm import find_minilm
from teach_agents.understanding.cascade_reader import RULES_RIGHT
from teach_agents.understanding.heads.reader import HeadsReader
from teach_agents.understanding.heads.symbols import acts_of, symbols_of
from teach_agents.understanding.heads.weights import read_weights, write_weights
from teach_agents.understanding.matching import calibration_error, calibration_error_of_widths, same, same_acts
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.requests import Request, corpus
from teach_agents.understanding.rules_reader import RulesReader
from teach_agents.understanding.spelling import WORDS

needs_encoder = pytest.mark.skipif(find_minilm() is None, reason="needs minilm (teach-agents models get minilm)")


def _request(text: str, meaning: str) -> Request:
    return Request(text, "plain", read_meaning(meaning))


def _example(text: str, meaning: str) -> Example:
    found = example(_request(text, meaning))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "meaning", "spans"),
    [
        (
            "Put the dirty plates in the sink, then wash them.",
            "put(all dirty plate, in sink); wash(them)",
            ["the dirty plates", "the sink", "them"],
        ),
        ("if the fridge is open close it", "if(fridge: open) close(it)", ["the fridge", "it"]),
        ("hey, don't open any of the drawers", "never(open(any drawer))", ["any of the drawers"]),
        ("wash and slice the tomato", "wash(tomato); slice(tomato)", ["the tomato"]),
        ("same again", "get(mug)", []),
    ],
)
def test_descriptions_are_found_in_the_words(text: str, meaning: str, spans: list[str]) -> None:
    found = _example(text, meaning)
    assert [" ".join(found.words[span.start : span.end]) for span in found.spans] == spans


def test_every_meaning_of_the_corpus_is_written_and_read_in_symbols() -> None:
    for request in corpus()[::11]:
        one = example(request)
        assert one is None or same(acts_of(symbols_of(one.acts, one.kept), one.words), request.meaning), request.text


def test_words_that_are_kept_are_those_that_were_said() -> None:
    one = _example("oh by the way, my sister comes on sunday", "fact(my sister comes on sunday)")
    (act,) = acts_of(symbols_of(one.acts, one.kept), one.words)
    assert act.about == "my sister comes on sunday"


def _some(number: int) -> list[Example]:
    return [one for one in map(example, corpus()[:number]) if one is not None]


def _consistent(one: Example) -> bool:
    size = len(one.words)
    inside = all(0 <= span.start < span.end <= size for span in one.spans)
    kept = all(0 <= start < end <= size for start, end in one.kept)
    roles = all(span.role in dict(descriptions(one.acts[span.act])) for span in one.spans)
    return inside and kept and roles and bool(acts_of(symbols_of(one.acts, one.kept), one.words))


def test_requests_stay_whole_when_they_are_varied() -> None:
    examples = _some(400)
    variations = Variations(examples, Random(1))
    varied = [variations.varied(one) for one in examples]
    assert all(map(_consistent, [*examples, *varied]))
    assert sum(one.words != other.words for one, other in zip(examples, varied, strict=True)) > 150


def test_another_thing_in_the_words_is_another_in_the_meaning_wherever_it_was_meant() -> None:
    one = _example("wash and slice the tomato", "wash(tomato); slice(tomato)")
    pool = [_example("slice my old loaf", "slice(old loaf)")]
    found = {
        (" ".join(varied.words), write_meaning(varied.acts))
        for seed in range(60)
        for varied in [Variations(pool, Random(seed), noise=False).varied(replace(one, before="robot: hm"))]
    }
    assert found == {
        ("wash and slice the tomato", "wash(tomato); slice(tomato)"),
        ("wash and slice my old loaf", "wash(old loaf); slice(old loaf)"),
    }


def test_what_is_not_all_in_the_words_of_a_span_is_not_swapped() -> None:
    whole = _example("bring the dirty mug", "get(dirty mug)")
    assert whole.is_whole(whole.spans[0])
    partly = _example("bring the mug", "get(dirty mug)")
    assert not any(map(partly.is_whole, partly.spans))
    twice = _example("put the statue near the lamp near the telly", "put(statue, near lamp, near telly)")
    assert [twice.is_whole(span) for span in twice.spans] == [True, False, False]


def test_a_thing_that_three_acts_share_is_another_in_all_of_them() -> None:
    one = _example("wash, slice and cook the tomato", "wash(tomato); slice(tomato); cook(tomato)")
    pool = [_example("cook my old loaf", "cook(old loaf)")]
    found = {
        write_meaning(Variations(pool, Random(seed), noise=False).varied(replace(one, before="robot: hm")).acts)
        for seed in range(40)
    }
    assert found == {write_meaning(one.acts), "wash(old loaf); slice(old loaf); cook(old loaf)"}


def test_without_noise_no_words_and_signs_are_lost() -> None:
    whole = _example("hello there, how are you today, my friend?", "hello")
    plain = [Variations(_some(20), Random(seed), noise=False).varied(whole).words for seed in range(50)]
    noisy = [Variations(_some(20), Random(seed)).varied(whole).words for seed in range(50)]
    assert all(words[: len(whole.words)] == whole.words for words in plain)
    assert any(len(words) < len(whole.words) for words in noisy)


def test_requests_with_conditions_are_put_together_and_can_be_written() -> None:
    examples = [one for one in map(example, corpus()[::80]) if one is not None]
    variations = Variations(examples, Random(2))
    made = [one for one in (variations.conditional() for _ in range(60)) if one is not None]
    assert len(made) == 60
    for one in made:
        assert any(act.condition is not None for act in one.acts)
        assert same(acts_of(symbols_of(one.acts, one.kept), one.words), one.acts), one.words
    assert any(len(one.acts) > 2 for one in made)


@needs_encoder
def test_heads_learn_what_they_are_shown_and_read_with_their_file(tmp_path: Path) -> None:
    minilm = find_minilm()
    assert minilm is not None
    shown = {"bring me the mug": "get(mug)", "where is the fork": "?where(fork)"}
    examples = [_example(text, meaning) for text, meaning in shown.items()] * 16
    heard: list[str] = []
    network, symbols = train(examples, minilm, Settings(epochs=24, batch=8, dropout=0.0, noise=False), heard.append)
    assert symbols == symbols_in(examples) and not heard
    write_weights(network, symbols, {"likely": 1.0, "constant": 2.0}, minilm, tmp_path / "heads.safetensors")
    reader = HeadsReader(tmp_path / "heads.safetensors")
    for text, meaning in shown.items():
        assert write_meaning(reader.read(text).acts) == meaning
    assert write_meaning(reader.read("bring me the spatula").acts) == "get(spatula)", "a word that it never saw"


@needs_encoder
def test_the_mean_lies_between_where_training_began_and_ended(tmp_path: Path) -> None:
    minilm = find_minilm()
    assert minilm is not None
    start = tmp_path / "start.safetensors"
    few = Settings(epochs=1, batch=8, dropout=0.0, noise=False)
    network, symbols = train([_example("bring me the mug", "get(mug)")] * 8, minilm, few, lambda told: None)
    write_weights(network, symbols, {}, minilm, start)
    more = [_example("where is the fork", "?where(fork)")] * 8
    trained, known = train(more, minilm, replace(few, start=start), lambda told: None)
    was, _, _ = read_weights(minilm, start)
    ended = {name: one.detach().clone() for name, one in trained.named_parameters()}
    mean_of(trained, known, minilm, start)
    for name, one in was.named_parameters():
        now, then = dict(trained.named_parameters())[name], ended[name]
        assert torch.allclose(now[: len(one)], (one + then[: len(one)]) / 2, atol=1e-6), name
        assert torch.equal(now[len(one) :], then[len(one) :]), "symbols that the start does not have"
    with pytest.raises(InputError, match="other symbols"):
        mean_of(trained, known[::-1], minilm, start)


def test_the_words_that_are_known_are_those_of_the_corpus() -> None:
    counts = word_counts()
    assert json.loads(WORDS.read_text(encoding="utf8")) == counts, "python scripts/train_reader.py --part words"
    assert counts["mug"] > 100 and "frigde" not in counts


def test_confidence_is_fitted_to_how_often_readings_are_right() -> None:
    judged = [({"likely": -float(n % 4), "constant": 1.0}, n % 4 < 2) for n in range(400)]
    weights = fitted(judged)
    assert weights["likely"] > 1 and weights["constant"] > 0


def test_rules_are_as_often_right_as_their_confidence_says() -> None:
    rules = RulesReader()
    asked = [one for one in corpus() if held_out(one.text)]
    read = [(one, rules.read(one.text, one.before).acts) for one in asked]
    right = [same(acts, one.meaning) for one, acts in read if acts]
    assert sum(right) / len(right) == pytest.approx(RULES_RIGHT, abs=0.04)


def test_readings_are_judged_by_acts_and_slots() -> None:
    def judged(one: str, other: str) -> bool:
        return same(read_meaning(one), read_meaning(other))

    assert judged("close(front_door)", "close(front door)")
    assert judged("chat(hi there you)", "chat(you)")
    assert judged("never(put(any fork, in sink))", "never(put(all fork, in sink))")
    assert not judged("put(any fork, in sink)", "put(all fork, in sink)")
    assert not judged("get(mug)", "get(mug); get(mug)")
    assert judged("praise; get(mug)", "get(mug)") and not judged("praise", "thanks")
    assert judged("never(touch(any thing @on desk))", "never(touch(everything @on desk))")
    assert judged("get(spare one)", "get(spare)") and not judged("get(one)", "get(other one)")
    assert judged("step_forward(3 step)", "step_forward(3)") and not judged("step_forward(3)", "step_forward(2)")
    assert judged("get(mug, from shelf)", "get(mug @on shelf)")
    assert not judged("?there(mug @in shelf)", "?there(mug @on shelf)")
    assert judged("put(mug, to table)", "put(mug, on table)") and not judged("put(mug, in sink)", "put(mug, on sink)")
    assert judged("if(lamp: off) turn_on(lamp)", "unless(lamp: on) turn_on(lamp)")
    assert judged("if(any egg @in fridge) get(it)", "if(egg @in fridge) get(it)")
    assert not judged("if(lamp: off) turn_on(lamp)", "if(lamp: on) turn_on(lamp)")
    assert same_acts(read_meaning("get(mug)"), read_meaning("get(fork)"))
    assert not same_acts(read_meaning("never(open(door))"), read_meaning("never(close(door))"))


def test_confidence_that_is_right_on_average_has_no_error() -> None:
    assert calibration_error([(0.5, True), (0.5, False)], bins=1) == 0.0
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error_of_widths([(0.52, True), (0.58, False)]) == pytest.approx(0.05)
    assert calibration_error_of_widths([(0.1, False), (1.0, True), (0.95, False)]) == pytest.approx((0.1 + 0.95) / 3)


def test_the_language_model_is_taught_prompts_with_their_meanings() -> None:
    requests = [one for one in corpus()[::300] if one.meaning]
    told = list(Samples(requests, Random(0)).texts())
    assert len(told) == len(requests)
    for asked, answer in told:
        assert asked.endswith("\nmeans:") and "human: " in asked
        assert read_meaning(answer.strip())
    assert told != list(Samples(requests, Random(1)).texts()), "varied anew"
    before = next(one for one in requests if one.before)
    asked = next(iter(Samples([before], Random(0)).texts()))[0]
    assert [line[:20] for line in asked.splitlines()[:-2]] == [line[:20] for line in before.before[-2:]]

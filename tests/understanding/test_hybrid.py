"""Rules, heads and a language model together."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

import pytest

from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.errors import ModelMissingError
from teach_agents.learning.reading.training import held_out, kept_to_choose
from teach_agents.models.text.minilm import find_minilm
from teach_agents.understanding import hybrid_reader, reading_options
from teach_agents.understanding.cascade_reader import RULES_RIGHT, SURE, CascadeReader
from teach_agents.understanding.heads.beam_search import Meaning
from teach_agents.understanding.heads.reader import HeadsReader, Heard
from teach_agents.understanding.hybrid_reader import CERTAIN, HybridReader, is_done_too, is_plain
from teach_agents.understanding.matching import same
from teach_agents.understanding.notation import meaning_pattern, read_meaning, write_meaning
from teach_agents.understanding.reader import quick
from teach_agents.understanding.reading_options import Option, chance, told
from teach_agents.understanding.requests import corpus
from teach_agents.understanding.small_lm.reader import SmallModelReader, Weighed

needs_encoder = pytest.mark.skipif(find_minilm() is None, reason="needs minilm (teach-agents models get minilm)")


class _Heads(HeadsReader):
    """Heads that hear the same in everything, this likely (a logarithm)."""

    def __init__(self, meaning: str, likely: float = -0.05, second: str = "") -> None:
        self._acts, self._likely = read_meaning(meaning), likely
        self._second = [Meaning(read_meaning(second), likely - 0.1, likely)] if second else []
        self.asked = 0

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        self.asked += 1
        return Reading(self._acts, 0.5, "heads")

    def heard(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]] = ()) -> Heard:
        self.asked += 1
        told = [self._likely if tuple(one) == self._acts else -9.0 for one in others]
        return Heard(text.split(), [Meaning(self._acts, self._likely, self._likely), *self._second], told)


class _Model(SmallModelReader):
    def __init__(self, meaning: str) -> None:
        self.asked = 0
        self._acts = read_meaning(meaning)

    def weighed(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]]) -> Weighed:
        self.asked += 1
        likely = tuple(-0.1 if tuple(one) == self._acts else -9.0 for one in others)
        return Weighed(Reading(self._acts, 0.9, "small_lm"), -0.1, likely)


def _reader(monkeypatch: pytest.MonkeyPatch, heads: HeadsReader, model: _Model | None = None) -> HybridReader:
    monkeypatch.setattr(hybrid_reader, "_heads", lambda: heads)
    monkeypatch.setattr(hybrid_reader, "_model", lambda: model)
    return HybridReader(model=model is not None)


def test_heads_are_not_asked_where_rules_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = _Heads("stop")
    found = _reader(monkeypatch, heads).read("gimme a fork")
    assert (write_meaning(found.acts), found.by) == ("get(fork)", "rules") and found.confidence == CERTAIN
    assert heads.asked == 0


def test_heads_read_what_rules_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _reader(monkeypatch, _Heads("water(plant)")).read("that poor plant looks thirsty to me")
    assert (write_meaning(found.acts), found.by) == ("water(plant)", "heads")


def test_what_rules_read_and_heads_find_unlikely_is_read_as_heads_do(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "the lamp is on, turn it off and close the door, then come here and open the fridge"
    reader = _reader(monkeypatch, _Heads("open(fridge)"))
    assert reader.quick.certain(text, ()) is not None
    assert write_meaning(reader.read(text).acts) == "open(fridge)"


def test_what_rules_and_heads_read_alike_is_as_likely_as_the_likelier_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = _reader(monkeypatch, _Heads("hello; get(mug)")).read("Hello robot, would you please bring me the mug")
    assert write_meaning(reading.acts) == "get(mug)" and reading.confidence > 0.8


def test_what_nobody_is_sure_of_is_unclear_with_the_things_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _reader(monkeypatch, _Heads("put(mug, in flurbazon)", -9.0)).read("mugwise the thing maybe")
    assert write_meaning(found.acts) == "unclear(mug)" and found.confidence < SURE


def test_other_ways_to_read_an_utterance_are_told_where_they_are_likely_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = _Heads("get(mug)", -0.7)
    found = _reader(monkeypatch, heads).read("the lamp is on, turn it off and close the door and come over here")
    assert write_meaning(found.acts) == "get(mug)"
    assert all(SURE <= one.confidence <= found.confidence for one in found.others)


@needs_encoder
def test_of_a_text_that_is_too_long_the_rest_is_unclear() -> None:
    text = "Could you be so kind and bring me the mug over here. "
    heads = HeadsReader()
    assert all(one.acts[-1].act is not Act.UNCLEAR for one in heads.heard(text, ()).meanings[:1])
    heard = heads.heard(text + "and so on and on " * 60, ())
    assert heard.meanings and all(one.acts[-1] == DialogueAct(Act.UNCLEAR) for one in heard.meanings)


def test_what_is_surer_without_what_was_said_before_is_read_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Distracted(_Heads):
        def heard(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]] = ()) -> Heard:
            made = _Heads("fact(mug)", -3.0, second="stop") if recent else _Heads("get(mug)")
            return made.heard(text, recent, others)

    reader = _reader(monkeypatch, Distracted("stop"))
    text = "the mug, if you would be so kind"
    assert write_meaning(reader.read(text, ["robot: I see a mug."]).acts) == "get(mug)"
    assert write_meaning(reader.read(text, ["robot: What is dirty?"]).acts) != "get(mug)"


def test_rules_are_as_often_right_about_what_is_plain_as_their_confidence_says() -> None:
    quick, right = CascadeReader(None), []
    for one in corpus():
        if len(one.text.split()) <= 3 and (held_out(one.text) or kept_to_choose(one.text)):
            found = quick.certain(one.text, one.before)
            if found is not None and is_plain(found.acts, one.text, one.before):
                right.append(same(found.acts, one.meaning))
    assert len(right) > 100 and sum(right) / len(right) == pytest.approx(CERTAIN, abs=0.03)


def test_the_model_is_asked_where_the_others_are_not_likely_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _Model("get(mug)")
    heads = _Heads("fact(mug)", -2.5, second="get(mug)")
    found = _reader(monkeypatch, heads, model).read("the mug, if you would be so kind")
    assert model.asked == 1
    assert write_meaning(found.acts) == "get(mug)" and "small_lm" in found.by and SURE < found.confidence < 1
    model = _Model("get(cup)")
    found = _reader(monkeypatch, _Heads("get(mug)", -0.01), model).read("bring me the mug over here would you")
    assert write_meaning(found.acts) == "get(mug)" and not model.asked


def test_a_talk_between_agents_reads_rules_first(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = _Heads("stop")
    reader = quick(_reader(monkeypatch, heads))
    assert isinstance(reader, CascadeReader) and quick(reader) is reader
    found = reader.read("the lamp is on, turn it off and close the door")
    assert found.confidence == RULES_RIGHT and not heads.asked


def test_without_heads_rules_read_alone_and_the_log_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing() -> HeadsReader:
        raise ModelMissingError("minilm: its weights are not on this machine")

    monkeypatch.setattr(hybrid_reader, "HeadsReader", missing)
    hybrid_reader._heads.cache_clear()
    with caplog.at_level(logging.WARNING):
        readers = [HybridReader(), HybridReader()]
    hybrid_reader._heads.cache_clear()
    assert len(caplog.records) == 1 and "minilm" in caplog.text
    assert write_meaning(readers[0].read("open the fridge").acts) == "open(fridge)"
    assert write_meaning(readers[1].read("verily thou shalt, forsooth").acts) == "unclear"


def test_an_option_is_likelier_the_more_parts_read_it_so_and_the_likelier_they_find_it() -> None:
    acts = read_meaning("get(mug)")
    alone, both = Option(acts, frozenset({"heads"}), -0.5), Option(acts, frozenset({"rules", "heads"}), -0.5)
    assert chance(both, [both], 4) > chance(alone, [alone], 4) > chance(alone._replace(written=-5.0), [alone], 4)
    unlikely, likely = (alone._replace(likely=one) for one in (-8.0, -0.1))
    assert chance(likely, [likely], 4) > chance(unlikely, [unlikely], 4)
    fitted = reading_options.fitted_weights()
    assert {*fitted} == {"heads", "model"}
    for one, case in ((alone, "heads"), (likely, "model")):
        assert set(told(one, [one], 4)) == set(fitted[case])


def test_every_meaning_of_the_corpus_is_in_the_grammar_that_the_model_writes_in() -> None:
    pattern = re.compile(meaning_pattern())
    written = [write_meaning(one.meaning) for one in corpus() if len(one.meaning) <= 8]
    assert not [one for one in written if not pattern.fullmatch(one)]
    assert not pattern.fullmatch("fly(moon)") and not pattern.fullmatch("get(mug")


def test_the_small_model_writes_meanings() -> None:
    pytest.importorskip("llguidance")
    reader = SmallModelReader()
    found = reader.read("could you bring me the mug from the table please")
    assert found.acts and found.by == "small_lm" and 0 < found.confidence <= 1
    assert reader.read("   ").acts == ()
    told = reader.weighed("open the fridge", (), [read_meaning("open(fridge)"), read_meaning("?where(mug)")])
    assert told.others[0] > told.others[1]
    assert Act.UNCLEAR not in {act.act for act in told.reading.acts}


@pytest.mark.parametrize(
    ("text", "recent", "too"),
    [
        (
            "The bar of soap too.",
            ["person: bin the candle", "did: throw_away(candle)", "robot: It is in the bin."],
            True,
        ),
        ("and the tall lamp as well, please", ["person: lamp off", "did: turn_off(lamp)"], True),
        ("the lamp too?", ["person: lamp off", "did: turn_off(lamp)"], False),
        ("me too", ["person: give Emma an apple", "did: get(apple, to emma)"], False),
        ("the lamp too", ["person: is the light on?", "robot: Yes, it is on."], False),
        ("the lamp too", ["did: turn_off(light)", "robot: Which lamp do you mean?"], False),
        ("put the lamp on the desk too", ["did: put(bowl, on desk)"], False),
    ],
)
def test_a_thing_too_is_the_same_done_to_it(text: str, recent: Sequence[str], too: bool) -> None:
    assert is_done_too(CascadeReader(None).certain(text, recent).acts, text, recent) is too  # type: ignore[union-attr]  # all are read


@pytest.mark.parametrize(("text", "meaning"), [("<h1>big</h1>", "unclear"), ("the big one", "choose(big one)")])
def test_markup_answers_nothing(text: str, meaning: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _reader(monkeypatch, _Heads("choose(big one)")).read(text, ["robot: Which one do you mean?"])
    assert write_meaning(found.acts) == meaning

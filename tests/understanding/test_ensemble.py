"""Rules, heads and a language model together."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.understanding import reading_options
from teach_agents.understanding.ensemble_reader import EnsembleReader
from teach_agents.understanding.hybrid_reader import HybridReader
from teach_agents.understanding.notation import meaning_pattern, read_meaning, write_meaning
from teach_agents.understanding.reader import quick
from teach_agents.understanding.reading_options import Option, chance, told
from teach_agents.understanding.requests import corpus
from teach_agents.understanding.small_lm.reader import SmallModelReader, Weighed


class _Part:
    """Reads everything alike."""

    def __init__(self, meaning: str, sure: float = 0.5) -> None:
        self._reading = Reading(read_meaning(meaning) if meaning else (), sure, "part")

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        return self._reading


class _Model(SmallModelReader):
    def __init__(self, meaning: str) -> None:
        self.asked = 0
        self._acts = read_meaning(meaning)

    def weighed(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]]) -> Weighed:
        self.asked += 1
        likely = tuple(-0.1 if tuple(one) == self._acts else -9.0 for one in others)
        return Weighed(Reading(self._acts, 0.9, "small_lm"), -0.1, likely)


def _reader(monkeypatch: pytest.MonkeyPatch, rules: str, heads: str, model: str) -> tuple[EnsembleReader, _Model]:
    reader, fake = EnsembleReader(), _Model(model)
    monkeypatch.setattr(reader.quick, "rules", _Part(rules))
    monkeypatch.setattr(reader.quick, "heads", _Part(heads))
    monkeypatch.setattr(reader.quick, "read", _Part(rules or heads).read)
    monkeypatch.setattr(reader, "_model", fake)
    return reader, fake


def test_what_rules_and_heads_agree_on_is_read_without_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, model = _reader(monkeypatch, "get(mug)", "get(mug)", "get(cup)")
    found = reader.read("bring me the mug")
    assert write_meaning(found.acts) == "get(mug)" and not model.asked


def test_where_they_differ_the_model_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, model = _reader(monkeypatch, "", "fact(mug)", "get(mug)")
    found = reader.read("the mug, if you would be so kind")
    assert model.asked == 1
    assert write_meaning(found.acts) == "get(mug)" and found.by == "small_lm" and 0.25 < found.confidence < 1


def test_a_talk_between_agents_waits_for_no_model() -> None:
    reader = EnsembleReader()
    assert isinstance(quick(reader), HybridReader)
    assert quick(reader.quick) is reader.quick


def test_an_option_is_likelier_the_more_parts_read_it_so_and_the_likelier_the_model_finds_it() -> None:
    acts = read_meaning("get(mug)")
    alone, both = Option(acts, frozenset({"heads"}), 0.5), Option(acts, frozenset({"rules", "heads"}), 0.5)
    assert chance(both, [both], 4) > chance(alone, [alone], 4)
    unlikely, likely = (alone._replace(likely=one) for one in (-8.0, -0.1))
    assert chance(likely, [likely], 4) > chance(unlikely, [unlikely], 4)
    assert set(told(likely, [likely], 4)) == set(reading_options.fitted_weights()[reading_options.WITH_MODEL])
    assert set(told(alone, [alone], 4)) == set(reading_options.fitted_weights()[reading_options.QUICK])


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

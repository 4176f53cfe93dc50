from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.errors import InputError, ModelReplyError
from teach_agents.models import Choices, Constraint, Regex, Schema

STEP = Schema(
    {
        "type": "object",
        "properties": {"action": {"enum": ["Pickup", "Place"]}, "object": {"type": "string", "maxLength": 12}},
        "required": ["action"],
        "additionalProperties": False,
    }
)
MOVES = Choices(["Pickup Mug", "Place Sink", "pickup"])


@pytest.mark.parametrize(
    "said",
    ["Pickup Mug", " pickup mug.\n", '"Pickup  Mug"', "**Pickup Mug**", '{"choice": "Pickup Mug"}', "`PICKUP MUG`"],
)
def test_a_choice_is_found_in_its_wrapping(said: str) -> None:
    assert MOVES.read(said) == "Pickup Mug"


@pytest.mark.parametrize("said", ["", "Pickup", "Pickup Fork", '{"choice": "Pickup Fork"}', "x" * 300_000])
def test_what_is_no_choice_is_an_error_that_quotes_it(said: str) -> None:
    with pytest.raises(ModelReplyError) as raised:
        Choices(["Pickup Mug", "Place Sink"]).read(said)
    assert len(str(raised.value)) < 300


def test_choices_that_differ_by_case_alone_are_told_apart_by_case() -> None:
    both = Choices(["mug", "Mug"])
    assert both.read("Mug") == "Mug"
    with pytest.raises(ModelReplyError):
        both.read("MUG")


@pytest.mark.parametrize(
    "said",
    [
        '{"action": "Place"}',
        'Sure!\n```json\n{"action": "Place"}\n```\nAnything else?',
        'I would say {"action": "Place"} because [sic] of it',
        '{"thought": 1} then {"action": "Place"}',
    ],
)
def test_json_is_found_among_words(said: str) -> None:
    assert STEP.read(said) == {"action": "Place"}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("nothing", "holds no JSON"),
        ('{"action": "Place"', "holds no JSON"),
        ('{"action": "Slice"}', "'action' must be one of"),
        ('{"object": "Mug"}', "lacks 'action'"),
        ('{"action": "Place", "object": "a very long name"}', "at most 12 characters"),
        ('{"action": "Place", "why": 1}', "'why' must not be there"),
        ("[" * 5000, "holds no JSON"),
        ('{"action": "Place", "object": "\\ud800"}', "holds no JSON"),
        ("1" * 5000, "holds no JSON"),
        ("NaN", "holds no JSON"),
        ("1e999", "holds no JSON"),
        ("{" * 100_001, "holds no JSON"),
    ],
)
def test_what_does_not_fit_is_an_error_that_says_why(said: str, problem: str) -> None:
    with pytest.raises(ModelReplyError, match=problem):
        STEP.read(said)


def test_a_regular_expression_matches_from_end_to_end() -> None:
    assert Regex(r"\d{2}:\d{2}").read(" 12:30\n") == "12:30"
    for wrong in ("12:300", "at 12:30", "", "\u0661\u0662:30"):
        with pytest.raises(ModelReplyError, match="does not match"):
            Regex(r"\d{2}:\d{2}").read(wrong)


@given(st.sampled_from([STEP, MOVES, Regex("[a-z]+")]), st.text(alphabet=st.characters()))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_reading(answer: Constraint, said: str) -> None:
    try:
        answer.read(said)
    except ModelReplyError as error:
        assert str(error)


@pytest.mark.parametrize("options", [[], ["a", "a"], ["a", " "], "abc", [1]])
def test_choices_that_are_none_are_refused(options: Any) -> None:
    with pytest.raises(InputError, match="choices"):
        Choices(options)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ([], "must be a JSON Schema"),
        ({"type": "text"}, "unknown type"),
        ({"patternProperties": {}}, "not supported"),
        ({"properties": {"a": {"dependentSchemas": {}}}}, "not supported"),
        ({"properties": {"a": 3}}, "what is no schema"),
        ({"$ref": "#/$defs/Nobody"}, "points at nothing"),
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused(schema: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Schema(schema)
    with pytest.raises(InputError, match="no regular expression"):
        Regex("(")


FITS = {
    "type": "object",
    "$defs": {"Spot": {"type": "object", "properties": {"x": {"type": "number", "minimum": 0, "maximum": 1}}}},
    "properties": {
        "at": {"anyOf": [{"$ref": "#/$defs/Spot"}, {"type": "null"}]},
        "steps": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": 2},
        "count": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9},
        "kind": {"const": "plan"},
        "name": {"allOf": [{"type": "string"}, {"pattern": "^[A-Z]"}]},
        "one": {"oneOf": [{"type": "integer"}, {"type": ["string", "boolean"]}]},
    },
    "additionalProperties": {"type": "boolean"},
}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"at": {"x": 0.5}, "steps": ["a"], "count": 3.0, "kind": "plan", "name": "Bo", "one": True, "else": True}, ""),
        ({"at": {"x": 2}}, "fits none of its kinds"),
        ({"steps": []}, "at least 1 items"),
        ({"steps": ["a", "b", "c"]}, "at most 2 items"),
        ({"steps": ["a", ""]}, "item 1 of 'steps'"),
        ({"count": True}, "'count' must be integer"),
        ({"count": 9}, "below 9"),
        ({"count": 0}, "above 0"),
        ({"kind": 1}, "must be 'plan'"),
        ({"name": "bo"}, "must match"),
        ({"one": None}, "fits 0 of its kinds"),
        ({"else": 1}, "'else' must be boolean"),
        ([], "must be object"),
    ],
)
def test_every_keyword_is_checked(value: Any, problem: str) -> None:
    schema = Schema(FITS)
    if not problem:
        assert schema.read(json.dumps(value)) == value
        return
    with pytest.raises(ModelReplyError, match=problem):
        schema.read(json.dumps(value))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["", "a", "Bo", "plan"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(FITS["properties"])), inner),
    max_leaves=8,
)


@given(_JSON)
@settings(max_examples=300, deadline=None)
def test_values_are_judged_as_the_jsonschema_package_judges_them(value: Any) -> None:
    judge = pytest.importorskip("jsonschema").Draft202012Validator(FITS)
    from teach_agents.models.json_schema import misfit

    assert (misfit(value, FITS) is None) is judge.is_valid(value)

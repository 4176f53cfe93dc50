"""What a template's file may say, and what rendering refuses."""

from __future__ import annotations

import hashlib

import pytest
from teach_agents_prompts.template import Template

from teach_agents.errors import InputError

HEAD = "---\nrole: follower\nabout: A test.\ninputs: thing, people\nversion: 2\n---\n"


def _read(source: str) -> Template:
    return Template.read("greeting", source, where="greeting.jinja")


def test_a_template_has_a_head_and_a_text() -> None:
    source = HEAD + "Take the {{ thing }}.\n{% for one in people %}\n- {{ one.name }}\n{% endfor %}\n"
    template = _read(source)
    assert (template.role, template.about, template.version) == ("follower", "A test.", 2)
    assert template.inputs == ("thing", "people")
    assert template.hash == hashlib.sha256(source.encode()).hexdigest()[:12]
    assert template.render(thing="<mug>", people=[{"name": "Ann"}]) == "Take the <mug>.\n- Ann\n"


def test_a_template_may_need_nothing() -> None:
    assert _read(HEAD.replace(" thing, people", "") + "Hello.").render() == "Hello."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("Hello.", r"^greeting\.jinja:1: a template begins with a line '---'"),
        ("", r"^greeting\.jinja:1: a template begins with"),
        ("---\nrole: any\n", r"^greeting\.jinja:2: the head is not closed"),
        (HEAD.replace("version: 2\n", ""), r"^greeting\.jinja:5: the head lacks 'version'"),
        (HEAD.replace("version: 2", "version: 2\nversion: 3"), r"^greeting\.jinja:6: .* twice; got 'version'"),
        (HEAD.replace("about: A", "abut: A"), r"^greeting\.jinja:3: .* got 'abut: A test\.'.*about"),
        (HEAD.replace("about: A test.", "about:"), r"^greeting\.jinja:3: 'about' is empty"),
        (HEAD.replace("follower", "folower"), r"^greeting\.jinja:2: is no role; .* did you mean 'follower'\?"),
        (HEAD.replace("people", "thing"), r"^greeting\.jinja:4: inputs are different names .* got 'thing'"),
        (HEAD.replace("people", "a b"), r"^greeting\.jinja:4: .* got 'a b'"),
        (HEAD.replace("2", "1.5"), r"^greeting\.jinja:5: a version is a whole number from 1; got '1\.5'"),
        (HEAD + "a\n{% for x in people %}", r"^greeting\.jinja:8: is no Jinja: Unexpected end"),
        (HEAD + "a\n{{ thing|shout }}", r"^greeting\.jinja:8: is no Jinja: No filter named 'shout'"),
        (HEAD + "a\n\n{{ thng }}", r"^greeting\.jinja:9: reads what is not .* did you mean 'thing'\?"),
        (HEAD + "{% include 'step' %}", r"^greeting\.jinja:7: a template stands alone"),
        (HEAD + "{% extends thing %}", r"^greeting\.jinja:7: a template stands alone"),
        (HEAD + "x" * 20_001, r"^greeting\.jinja: a template has at most 20000 characters"),
    ],
)
def test_a_file_that_is_no_template_is_refused_with_its_line(source: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _read(source)


def test_rendering_takes_the_inputs_that_are_declared_and_no_others() -> None:
    template = _read(HEAD + "{{ thing }}")
    with pytest.raises(InputError, match="'greeting': lacks its input 'people'; valid: thing, people"):
        template.render(thing="mug")
    with pytest.raises(InputError, match="has no such input; got 'peeple'; did you mean 'people'"):
        template.render(thing="mug", peeple=[])


def test_what_is_put_in_is_text_and_no_template() -> None:
    said = "{{ 7 * 7 }} {% for x in y %} <b>&amp;"
    assert _read(HEAD + "Heard: {{ thing }}").render(thing=said, people=[]) == f"Heard: {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n{{ thing.colour }}", r"greeting\.jinja:8: UndefinedError: .*colour"),
        ("{{ thing.__class__.__mro__ }}", r"greeting\.jinja:7: SecurityError: .*unsafe"),
        ("{{ people.append(1) }}", r"greeting\.jinja:7: SecurityError: .*append"),
        ("{{ 1 // people|length }}", r"greeting\.jinja:7: ZeroDivisionError"),
        (
            "{% for i in range(3000) %}{{ thing * 100 }}{% endfor %}",
            r"greeting\.jinja: .* beyond 200000 characters",
        ),
        ("{% for i in range(10000000) %}{% endfor %}", r"greeting\.jinja:7: OverflowError"),
    ],
)
def test_what_goes_wrong_in_between_is_an_error_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _read(HEAD + text).render(thing="mug", people=[])

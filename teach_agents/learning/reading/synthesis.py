"""Requests made up from the rules' own patterns, tagged: what heads learn of plain English beside the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from teach_agents.learning.reading.alignment import Tagged
from teach_agents.understanding.grammar import grammar, pattern
from teach_agents.understanding.heads.tags import STATE, THING, WHEN, WORDS, Part, Span
from teach_agents.understanding.notation import ROLES

_parser: Any = re._parser  # type: ignore[attr-defined]  # nothing else takes a pattern apart
_JOINTS = (" . ", " . then ", " , then ", " and then ", " and ", " , ", " . and ", " . also ", " then ")
_OFTEN = {"order": 9, "question": 4, "said": 2, "barred": 2, "when": 2, "answer": 1, "repair": 2, "fact": 2}
_REST = r"\(\?P<rest>\.\+\??\)"
_FEW = ("a", "two", "three", "four", "five", "2", "3", "4", "10")


@dataclass(frozen=True, slots=True)
class _Said:
    """A part that was made up: words with `<name` in front of a slot and `>` behind it, and its labels."""

    text: str
    name: str
    inner: str = ""
    state: str = ""
    when: str = ""
    when_state: str = ""


class Rehearsal:
    """Makes up requests. `things` are descriptions in words, by the act that they were said of and "" for any;
    `questions` are turns of a robot that asks.
    """

    def __init__(self, things: Mapping[str, Sequence[str]], questions: Sequence[str], random: Random) -> None:
        self._things, self._questions, self._random = things, questions, random
        self._kinds: Mapping[str, Callable[[], _Said]] = {
            "order": self._order, "question": self._question, "said": self._control, "barred": self._barred,
            "when": self._conditional, "answer": self._answer, "repair": self._repair, "fact": self._fact,
        }  # fmt: skip

    def request(self) -> Tagged:
        """A request like those that rules read."""
        random = self._random
        kind = random.choices(list(_OFTEN), list(_OFTEN.values()))[0]
        said, joints = [self._kinds[kind]()], list[str]()
        while kind == "order" and random.random() < 0.3 and len(said) < 4:
            said.append(self._order())
            joints.append(random.choice(_JOINTS))
        if kind != "order" and random.random() < 0.15:
            said.append(self._order())
            joints.append(random.choice((" . ", " , ", " . and ")))
        return _tagged(said, joints, random.choice(self._questions) if kind == "answer" else "")

    def _order(self, *, plain: bool = False) -> _Said:
        one, meant = self._random.choice(grammar()["orders"])
        verb, _, more = meant.partition(" ")
        text, groups = self._sampled(one, verb)
        if "way" in groups:
            ways = grammar()["ways"]
            verb = next(f"step_{name}" for name in ways if groups["way"] in ways[name].split("|"))
        role = grammar()["roles"].get(groups.get("role", ""), groups.get("role", "")) or more
        text = text.replace("<n ", f"<{THING} ").replace("<y ", f"<{role if role in ROLES else 'in'} ")
        if verb == "call":
            text = text.replace(f"<{THING} ", f"<{WORDS} ")
        if verb == "do":
            text = f"<{WORDS} {re.sub('<[a-z]+ | >', '', text)} >"
        return _Said(text if plain else self._courteous(text), verb)

    def _question(self) -> _Said:
        topic = self._random.choice(list(grammar()["asked"]))
        text, groups = self._sampled(self._random.choice(grammar()["asked"][topic]), f"?{topic}")
        if topic == "other":
            text = f"<{WORDS} {text} >"
        if self._random.random() < 0.2:
            text = f"{self._random.choice(grammar()['question_leads'])} {text}"
        state = self._state(groups["state"]) if "state" in groups and topic == "state" else ""
        return _Said(text + (" ?" if self._random.random() < 0.6 else ""), f"?{topic}", state=state)

    def _control(self) -> _Said:
        name = self._random.choice(list(grammar()["said"]))
        text, _ = self._sampled(grammar()["said"][name], name)
        return _Said(self._courteous(text) if self._random.random() < 0.5 else text, name)

    def _answer(self) -> _Said:
        if self._random.random() < 0.4:
            return _Said(f"<{THING} {self._thing('choose')} >", "choose")
        name = self._random.choice(list(grammar()["answers"]))
        return _Said(self._sampled(grammar()["answers"][name], name)[0], name)

    def _barred(self) -> _Said:
        if self._random.random() < 0.3:
            one, verb = self._random.choice(grammar()["kept"])
            return _Said(self._sampled(one, verb)[0], "never", inner=verb)
        order = self._order(plain=True)
        name = self._random.choice(("never", "never", "allow"))
        one = self._random.choice([one for one in grammar()["barred"][name] if re.search(_REST, one)])
        text = re.sub(_REST, "REST", one)
        sampled, _ = self._sampled(text, name)
        return _Said(sampled.replace("REST", order.text), name, inner=order.name)

    def _conditional(self) -> _Said:
        order, word = self._order(plain=True), self._random.choice(("if", "if", "unless"))
        state = self._random.choice(grammar()["state"].split("|"))
        be = self._random.choice(("is", "is still", "is already"))
        said = f"{word} <{WHEN} {self._thing('')} > {be} <{STATE} {state} >"
        if self._random.random() < 0.5:
            text = f"{said}{self._random.choice((' ', ' , ', ' then ', ' , then '))}{order.text}"
        else:
            text = f"{order.text} {said}"
        return _Said(text, order.name, when=word, when_state=self._state(state))

    def _repair(self) -> _Said:
        mark = self._random.choice(grammar()["repair_marks"]) + self._random.choice((" ", " , "))
        if self._random.random() < 0.3:
            order = self._order(plain=True)
            return _Said(f"{mark}{order.text}", "instead_do", inner=order.name)
        if self._random.random() < 0.3:
            return _Said(f"{self._random.choice(('not', 'no , not', 'no not'))} <{THING} {self._thing('not')} >", "not")
        return _Said(f"{mark}<{THING} {self._thing('instead')} >", "instead")

    def _fact(self) -> _Said:
        thing, state = self._thing(""), self._random.choice(grammar()["state"].split("|"))
        be = self._random.choice(("is", "is", "is still", "is already", "is now", "are"))
        if self._random.random() < 0.5:
            return _Said(f"<{THING} {thing} > {be} <{STATE} {state} >", "fact", state=self._state(state))
        where = self._random.choice(("in", "on", "next to", "behind", "under", "by"))
        return _Said(f"<{THING} {thing} {be} {where} {self._thing('')} >", "fact")

    def _state(self, word: str) -> str:
        return str(grammar()["states"].get(word, word)) if word else ""

    def _courteous(self, text: str) -> str:
        if self._random.random() < 0.25:
            patterned = self._random.random() < 0.5
            lead = self._sampled(self._random.choice(grammar()["lead_patterns"]), "")[0] if patterned else ""
            text = f"{lead or self._random.choice(grammar()['leads'])} {text}"
        return f"{text} {self._random.choice(grammar()['tails'])}" if self._random.random() < 0.15 else text

    def _thing(self, act: str) -> str:
        pool = self._things.get(act) if self._random.random() < 0.6 else None
        return self._random.choice(pool or self._things[""])

    def _sampled(self, one: str, act: str) -> tuple[str, dict[str, str]]:
        """A text that a pattern fits, its slots marked, and what its groups hold."""
        groups: dict[str, str] = {}
        compiled = pattern(one)
        names = {number: name for name, number in compiled.groupindex.items()}
        text = self._walk(_parser.parse(compiled.pattern), names, act, groups)
        return " ".join(text.split()), groups

    def _walk(self, nodes: Any, names: Mapping[int, str], act: str, groups: dict[str, str]) -> str:
        return "".join(self._node(str(kind), value, names, act, groups) for kind, value in nodes)

    def _node(self, kind: str, value: Any, names: Mapping[int, str], act: str, groups: dict[str, str]) -> str:
        if kind == "LITERAL":
            return chr(value)
        if kind == "BRANCH":
            return self._walk(self._random.choice(value[1]), names, act, groups)
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = value
            if str(inner[0][0]) in ("IN", "ANY") and most > 1:
                return self._thing("") if least else "the "
            return "".join(
                self._walk(inner, names, act, groups) for _ in range(self._random.randint(least, min(most, 1)))
            )
        if kind != "SUBPATTERN":
            return ""
        name = names.get(value[0] or 0, "")
        if name == "n":
            return f" <n {self._random.choice(_FEW)} > "
        inner = self._walk(value[3], names, act, groups)
        if name in ("x", "y"):
            free = any(str(kind) in ("MAX_REPEAT", "MIN_REPEAT") for kind, _ in value[3]) and len(value[3]) == 1
            return f" <{THING if name == 'x' else 'y'} {self._thing(act) if free else inner} > "
        if name == "state":
            groups[name] = inner
            return f" <{STATE} {inner} > "
        if name:
            groups[name] = inner
        return inner


def _tagged(said: Sequence[_Said], joints: Sequence[str], before: str) -> Tagged:
    words: list[str] = []
    parts: list[Part] = []
    for one, joint in zip(said, [*joints, ""], strict=True):
        start, spans, opened = len(words), list[Span](), ("", 0)
        for token in f"{one.text}{joint}".split():
            if token.startswith("<"):
                opened = (token[1:], len(words))
            elif token == ">":
                spans.append(Span(opened[0], opened[1], len(words)))
            else:
                words.append(token)
        parts.append(Part(start, len(words), one.name, one.inner, one.state, one.when, one.when_state, tuple(spans)))
    return Tagged(tuple(words), tuple(parts), before)


def things_of(requests: Sequence[Tagged]) -> dict[str, list[str]]:
    """The descriptions in tagged requests, by act, and of any."""
    found: dict[str, list[str]] = {"": []}
    for one in requests:
        for part in one.parts:
            for span in part.spans:
                if span.name == THING and span.end - span.start < 7:
                    text = " ".join(one.words[span.start : span.end])
                    found.setdefault(part.inner or part.name, []).append(text)
                    found[""].append(text)
    return found

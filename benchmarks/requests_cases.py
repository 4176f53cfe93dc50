"""For whoever writes cases of the benchmark `requests` (docs/requests.md).

    python benchmarks/requests_cases.py room FloorPlan7 FloorPlan201    what is in rooms, where, and in what state
    python benchmarks/requests_cases.py check CASES                     whether cases can be played; kinds and rooms
    python benchmarks/requests_cases.py overlap CASES                   requests that the corpus has but for nouns

CASES is a file or folder of .jsonl files, or the name of a split that ships.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from teach_agents.benchmarks.requests.benchmark import RequestsBenchmark
from teach_agents.benchmarks.requests.cases import Case
from teach_agents.benchmarks.requests.player import prepared
from teach_agents.core.benchmark.playing import world_of
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.models.text.minilm import minilm
from teach_agents.simulator.contract import ObjectState, Scene
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.understanding.requests import corpus, masked

_ALIKE = 0.9
_STATES = ("is_dirty", "is_toggled", "is_filled", "is_open", "is_cooked", "is_broken")


def contents(room: str) -> Iterator[str]:
    """The things of a room by what holds them, nearest holders first; what is fixed, with how many there are."""
    simulator = EmbeddedSimulator()
    simulator.reset(Scene(room=room))
    objects = simulator.state.objects
    holding: dict[str, list[str]] = {}
    for obj in objects.values():
        if obj.kind.pickupable:
            holders = "/".join(objects[one].object_type for one in obj.parents[:2])
            holding.setdefault(holders or "nowhere", []).append(_told(obj))
    fixed = Counter(_told(obj) for obj in objects.values() if not obj.kind.pickupable)
    yield f"{room}, fixed: " + ", ".join(f"{name} x{n}" if n > 1 else name for name, n in fixed.items())
    yield from (f"  {holder}: {', '.join(things)}" for holder, things in holding.items())


def _told(obj: ObjectState) -> str:
    states = [name.removeprefix("is_") for name in _STATES if getattr(obj, name)]
    return obj.object_type + (f" ({', '.join(states)})" if states else "")


def cases_of(source: str) -> Sequence[Case]:
    """The cases of a file, a folder or a split. Raises `InputError` for what holds none."""
    if Path(source).exists():
        return RequestsBenchmark(cases=source).instances("own")
    return RequestsBenchmark().instances(source)


def problems(cases: Sequence[Case]) -> Iterator[str]:
    """What is wrong with cases that cannot be played or are done before anything is said."""
    world = world_of(RequestsBenchmark())
    household: Household = world.household  # type: ignore[attr-defined]  # that of a household
    for case in cases:
        try:
            prepared(case, household)
        except InputError as error:
            yield str(error)
        if case.check.true == ("still",) and not case.wants_reply:
            yield f"{case.instance_id!r}: `still` alone cannot be won; want a reply, too"


def overlap(cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """Cases whose last words the corpus has but for nouns, numbers and courtesies, or nearly so, with what it has.

    Nearly so are texts whose embeddings by MiniLM have a cosine over 0.9.
    """
    known = {masked(one.text): one.text for one in corpus()}
    texts = [one.text for one in corpus()]
    encoder = minilm()
    theirs, ours = encoder.encode(texts), encoder.encode([case.talk[-1].text for case in cases])
    nearest = (ours @ theirs.T).argmax(axis=1)
    for case, at, own in zip(cases, nearest, ours, strict=True):
        alike = float(own @ theirs[at]) > _ALIKE
        text = known.get(masked(case.talk[-1].text)) or (texts[at] if alike else None)
        if text is not None:
            yield case, text


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is asked for; 1 where cases have problems."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("room", "check", "overlap"))
    parser.add_argument("of", nargs="+", help="rooms, or a file, folder or split of cases")
    asked = parser.parse_args(arguments)
    if asked.what == "room":
        print("\n".join(line for room in asked.of for line in contents(room)))
        return 0
    cases = [case for source in asked.of for case in cases_of(source)]
    if asked.what == "overlap":
        found = list(overlap(cases))
        print("\n".join(f"{case.instance_id}: {case.talk[-1].text!r} is like {text!r}" for case, text in found))
        print(f"{len(found)} of {len(cases)}, {len(found) / len(cases):.1%}")
        return 0
    wrong = list(problems(cases))
    print("\n".join(wrong))
    print(f"{len(cases)} cases, {len(wrong)} cannot be played: {dict(Counter(case.kind for case in cases))}")
    print(f"rooms: {dict(Counter(case.groups['room'] for case in cases))}, {len({case.room for case in cases})} in all")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

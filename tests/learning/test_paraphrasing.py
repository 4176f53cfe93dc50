from __future__ import annotations

import random

from teach_agents.learning.paraphrasing import LONGEST, Paraphraser
from teach_agents.understanding.english.understanding import understand_instructions, understand_reports

PLAIN = "Please wash the dirty plate that is on the dining table."


def test_one_request_is_put_in_many_ways_none_too_long_for_a_prompt() -> None:
    said = {Paraphraser(random.Random(seed)).command(PLAIN) for seed in range(60)}
    assert len(said) > 40
    assert max(map(len, said)) <= LONGEST
    assert sum("plate" in one.lower() or "plat" in one.lower() for one in said) > 50


def test_the_same_person_speaks_the_same_way_by_seed() -> None:
    ways = [Paraphraser(random.Random(7)) for _ in range(2)]
    assert [ways[0].command(PLAIN) for _ in range(5)] == [ways[1].command(PLAIN) for _ in range(5)]


def test_some_ways_are_beyond_what_the_planner_understands() -> None:
    meant = understand_instructions(PLAIN)
    said = [Paraphraser(random.Random(seed)).command(PLAIN) for seed in range(60)]
    assert any(understand_instructions(one) != meant for one in said)


def test_what_is_not_understood_keeps_its_words() -> None:
    way = Paraphraser(random.Random(3))
    assert "xyzzy" in way.command("xyzzy").lower()
    assert len(way.command("word " * 100)) <= LONGEST


def test_reports_still_say_the_same() -> None:
    for plain in ("I can not find the knife.", "Done. What should I do next?", "There is no room on the plate."):
        for seed in range(30):
            said = Paraphraser(random.Random(seed)).report(plain)
            assert understand_reports(said) == understand_reports(plain)


def test_a_hint_by_a_landmark_keeps_its_words() -> None:
    said = [
        Paraphraser(random.Random(seed)).command("A drawer is left of the floor lamp.").lower() for seed in range(60)
    ]
    assert sum("left" in one and "lamp" in one for one in said) > 45

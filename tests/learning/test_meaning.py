from __future__ import annotations

from teach_agents.learning.matching import nearest, speaks_of

OFFERED = ("pick up the mug", "put all the mugs in the sink", "put a dirty mug in the sink", "clean a cup", "wait")


def test_a_wish_that_is_offered_is_taken() -> None:
    assert nearest("wait", OFFERED) == "wait"
    assert nearest("pick up the mug", OFFERED) == "pick up the mug"


def test_otherwise_the_same_deed_in_the_nearest_words() -> None:
    assert nearest("put the mug in the sink", OFFERED) == "put a dirty mug in the sink"
    assert nearest("put all the dirty mugs in the sink", OFFERED) == "put all the mugs in the sink"


def test_nothing_where_another_deed_or_thing_is_meant() -> None:
    assert nearest("put the mug on the counter top", OFFERED) is None
    assert nearest("slice the tomato", OFFERED) is None
    assert nearest("ask where the mug is", OFFERED) is None


def test_nouns_speak_of_types_of_their_class() -> None:
    assert speaks_of("Drinkware", "Mug")
    assert speaks_of("Sink", "SinkBasin")
    assert not speaks_of("Mug", "Cup")

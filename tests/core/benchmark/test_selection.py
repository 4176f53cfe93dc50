"""Which instances are run, and in what order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.core.benchmark.selection import chosen, ordered, read_names, sharded
from teach_agents.errors import InputError


@dataclass(frozen=True)
class Named:
    instance_id: str


def _named(names: str) -> tuple[Named, ...]:
    return tuple(map(Named, names))


@given(size=st.integers(1, 40), count=st.integers(1, 9))
def test_shards_are_the_list_without_gaps_doubles_or_big_differences(size: int, count: int) -> None:
    instances = [Named(f"{number}") for number in range(size)]
    parts = [sharded(instances, f"{index}/{count}") for index in range(1, min(size, count) + 1)]
    assert sorted(one.instance_id for part in parts for one in part) == sorted(one.instance_id for one in instances)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert sharded(instances, "1/1") == tuple(instances)


@given(index=st.integers(1, 99), more=st.integers(0, 99))
def test_a_shard_begins_where_it_says(index: int, more: int) -> None:
    instances = [Named(f"{number}") for number in range(198)]
    assert sharded(instances, f"{index}/{index + more}")[0] == instances[index - 1]


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "0/0", "-1/4", "1/4/2", "1 / 4", "a/b", "1.0/2", "²/3"])
def test_anything_else_is_refused_with_what_is_wanted(text: str) -> None:
    with pytest.raises(InputError, match="--shard: must be i/n"):
        sharded(_named("abc"), text)


def test_a_part_without_instances_is_refused() -> None:
    assert sharded(_named("abc"), "2/2") == _named("b")
    with pytest.raises(InputError, match="has none of the 1 instances; got '2/2'"):
        sharded(_named("a"), "2/2")


def test_the_order_is_by_id_or_drawn_by_the_seed() -> None:
    instances = _named("hgfedcba")
    assert ordered(instances) == _named("abcdefgh")
    drawn = ordered(instances, seed=1)
    assert drawn == ordered(reversed(instances), seed=1)
    assert len({drawn, ordered(instances, seed=2), ordered(instances, seed=3), ordered(instances)}) == 4


@given(seed=st.integers(), kept=st.sets(st.sampled_from("abcdefghij")))
def test_a_part_of_the_list_keeps_the_order_of_the_whole(seed: int, kept: set[str]) -> None:
    whole = ordered(_named("abcdefghij"), seed=seed)
    assert ordered(map(Named, kept), seed=seed) == tuple(one for one in whole if one.instance_id in kept)


def test_two_instances_of_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="two go by one id; got 'a'"):
        ordered(_named("aa"))


def test_named_instances_come_in_the_order_of_the_names() -> None:
    assert chosen(_named("abc"), ["c", "a", "c"]) == _named("ca")
    with pytest.raises(InputError, match=r"none of this id; got 'x\.edh2'; did you mean 'x\.edh1'"):
        chosen([Named("x.edh1")], ["x.edh2"])


def test_a_list_of_files_names_instances(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("a_1.edh0.json\n\nb.game.json\nc.tfd\na_1.edh0.json", encoding="utf-8")
    assert read_names(path) == ("a_1.edh0", "b", "c.tfd")


@pytest.mark.parametrize("text", ["", "\n", "a/b.json", "a b.json", ".json"])
def test_a_list_that_names_nothing_or_no_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"list\.txt"):
        read_names(path)


def test_a_missing_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read as a list of instances"):
        read_names(tmp_path / "none.txt")


def test_a_shard_of_nothing_says_that_there_is_nothing() -> None:
    with pytest.raises(InputError, match="there are none"):
        sharded((), "1/1")

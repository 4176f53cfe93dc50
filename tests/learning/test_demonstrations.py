from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from teach_agents.actions import Role
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, read_demonstrations, write_demonstrations


def _demonstration(choice: str = "wait", **changes: object) -> Demonstration:
    given: dict[str, object] = {
        "session": "s1",
        "kind": "human",
        "role": Role.FOLLOWER,
        "system": "You are the Follower.",
        "user": "Commander: l\u00e4s den \ud800 mug\nWhat now?",
        "choices": ("wait", "stop"),
        "choice": choice,
    }
    return Demonstration(**{**given, **changes})  # type: ignore[arg-type]  # values of each field's type


@pytest.mark.parametrize("name", ["some.jsonl", "some.jsonl.gz"])
def test_what_is_written_is_read_back_in_order(tmp_path: Path, name: str) -> None:
    made = [_demonstration(), _demonstration("stop", role=Role.COMMANDER, kind="self-play", session="s2")]
    assert write_demonstrations(tmp_path / name, iter(made)) == 2
    assert list(read_demonstrations(tmp_path / name)) == made


def test_a_packed_file_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write_demonstrations(tmp_path / name, [_demonstration()])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    def broken() -> Iterator[Demonstration]:
        yield _demonstration()
        raise KeyboardInterrupt

    path = tmp_path / "some.jsonl"
    write_demonstrations(path, [_demonstration()])
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write_demonstrations(path, broken())
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["some.jsonl"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"choice": "dance"}, "is none of the choices; got 'dance'"),
        ({"kind": "humans"}, "did you mean 'human'"),
        ({"role": "cook"}, "is no role; got 'cook'"),
        ({"user": 3}, r"got \['user'\]"),
        ({"choices": "wait"}, "choices a list of texts"),
        ({"more": 1}, r"got \['more'\]"),
    ],
)
def test_what_is_no_demonstration_is_refused_with_its_line(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    path = tmp_path / "some.jsonl"
    write_demonstrations(path, [_demonstration()])
    entry = {**json.loads(path.read_bytes()), **changes}
    path.write_bytes(path.read_bytes() + json.dumps(entry).encode() + b"\n")
    with pytest.raises(InputError, match=rf"some.jsonl, line 2, demonstration.*{told}"):
        list(read_demonstrations(path))


@pytest.mark.parametrize("content", [b"{", b"[]\n", b"\xff\n"])
def test_a_line_that_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "some.jsonl").write_bytes(content)
    with pytest.raises(InputError, match="line 1: is no JSON"):
        list(read_demonstrations(tmp_path / "some.jsonl"))


def test_a_file_that_is_missing_or_cut_short_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent.jsonl: cannot be read"):
        list(read_demonstrations(tmp_path / "absent.jsonl"))
    write_demonstrations(tmp_path / "some.gz", [_demonstration()] * 100)
    (tmp_path / "some.gz").write_bytes((tmp_path / "some.gz").read_bytes()[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_demonstrations(tmp_path / "some.gz"))

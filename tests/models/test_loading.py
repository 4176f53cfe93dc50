from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from teach_agents.core.plugins import Target, hookimpl
from teach_agents.core.registry import Registry
from teach_agents.core.specs import Spec, SpecForm, Value, parse
from teach_agents.errors import SpecError
from teach_agents.models import Batched, Counted, LanguageModel, Prompt, ScriptedModel, Settings, load_model
from tests.models import tiny

NAMES = ("hf", "scripted")


@pytest.mark.parametrize(
    ("text", "value", "parameters"),
    [
        ("hf:HuggingFaceTB/SmolLM2", "HuggingFaceTB/SmolLM2", {}),
        ("hf:gpt2", "gpt2", {}),
        ("hf:123", "123", {}),
        ("hf:./folder,dtype=float32,max_batch=4", "./folder", {"dtype": "float32", "max_batch": 4}),
        ('hf:"a, folder",dtype=float32', "a, folder", {"dtype": "float32"}),
        ("scripted:yes|no", "yes|no", {}),
        ("hf:path=gpt2", None, {"path": "gpt2"}),
        ("hf", None, {}),
    ],
)
def test_one_value_says_which_model(text: str, value: str | None, parameters: dict[str, Value]) -> None:
    spec = parse(text, valued=NAMES)
    assert spec == Spec(SpecForm.REGISTERED, "hf" if text.startswith("hf") else "scripted", parameters, value)
    assert parse(str(spec), valued=NAMES) == spec


@pytest.mark.parametrize("value", ["a=b", " a", "a,b", 'a"b', "x=1,y"])
def test_a_value_that_looks_like_something_else_is_quoted(value: str) -> None:
    spec = Spec(SpecForm.REGISTERED, "hf", {"dtype": "float32"}, value)
    assert parse(str(spec), valued=NAMES) == spec


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hf:gpt2,", "expected key=value"),
        ("hf:gpt2,float32", "expected key=value"),
        ('hf:"gpt2', "closed"),
        ('hf:"gpt2"x', "comma"),
        ("hf:a,path=b", "'path' is given twice"),
        ("hf:a,dtyp=float32", "did you mean 'dtype'"),
        ("smollm3", "did you mean 'smollm2'"),
        ("nowhere:Model", "command line"),
    ],
)
def test_a_spec_that_is_none_is_refused(text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        load_model(text)


def test_a_model_is_called_what_it_was_asked_for_by() -> None:
    model = load_model("scripted:yes|no")
    assert [one.text for one in model.generate(["a", "b"])] == ["yes", "no"]
    assert model.name == "scripted:yes|no" and load_model(model) is model
    assert load_model("http://127.0.0.1:9/v1#small").name == "http://127.0.0.1:9/v1#small"
    assert load_model("remote:http://127.0.0.1:9/v1#small,attempts=1").name.startswith("remote:")


def test_plugins_bring_models_through_the_same_door() -> None:
    @hookimpl
    def models() -> Mapping[str, Target]:
        return {"parrot": lambda word="hi": ScriptedModel([word]), "stone": dict, "shy": lambda: ScriptedModel("a")}

    registry = Registry()
    registry.register(SimpleNamespace(models=models), "zoo")
    parrot = load_model("parrot:hello", registry=registry)
    assert isinstance(parrot, LanguageModel) and parrot.generate(["?"])[0].text == "hello"
    with pytest.raises(SpecError, match="must make what"):
        load_model("stone", registry=registry)
    with pytest.raises(SpecError, match="takes no value"):
        load_model("shy:word", registry=registry)


def test_naming_a_model_loads_nothing_heavy() -> None:
    heavy = ("torch", "transformers", "langchain", "langchain_core", "httpx2", "jinja2")
    code = (
        "import sys; from teach_agents.models import Counted, load_model; model = load_model('hf:nowhere')\n"
        "Counted(load_model('http://localhost/v1#small')); load_model('scripted:a').generate(['b'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_weights_are_there_once_they_are_loaded_whatever_is_asked_first(tmp_path: Path) -> None:
    folder = tiny.build_chat(tmp_path / "chat")
    model = Counted(Batched(load_model(f"hf:{folder}")))
    model.load()
    shutil.rmtree(folder)
    assert model.generate([Prompt.of("hello", None, Settings(max_tokens=2))])[0].error is None

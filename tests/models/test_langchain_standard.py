"""Our chat model under LangChain's own standard suites, with a model that answers as a good one would."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from teach_agents.models import Prompt, ScriptedModel
from teach_agents.models.langchain_chat import ChatTeachAgents

langchain_tests = pytest.importorskip("langchain_tests")
from langchain_tests.integration_tests import ChatModelIntegrationTests  # noqa: E402  # after it is known to be there
from langchain_tests.unit_tests import ChatModelUnitTests  # noqa: E402  # the same

_VALUES = {"string": "cats", "integer": 3, "number": 3, "boolean": True, "null": None, "array": [], "object": {}}


def _value(name: str, schema: dict[str, Any], said: str) -> Any:
    """Some value that fits a schema, and what LangChain's tests look for."""
    if "enum" in schema or "const" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if name == "customer_name":
        return "".join(re.findall(r"[^\x00-\x7f]+", said))
    if "anyOf" in schema:
        return _value(name, schema["anyOf"][0], said)
    if schema.get("type") == "object" and "properties" in schema:
        return {key: _value(key, one, said) for key, one in schema["properties"].items()}
    return _VALUES[schema.get("type", "string")]


def good_answers(prompt: Prompt) -> str:
    """What an able model would say in the standard suites' conversations."""
    last = prompt.messages[-1].text
    if last.startswith('{"tool"'):
        return f"The result is {json.loads(last)['result']}."
    if prompt.answer is not None:
        schema = dict(prompt.answer.schema or {})
        return json.dumps(_value("", schema.get("anyOf", [schema])[0], last))
    if prompt.messages[0].text.startswith("You can call these tools"):
        names = re.findall(r"^- (\w+):", prompt.messages[0].text, flags=re.MULTILINE)
        wanted = {"get_weather": {"location": "San Francisco"}, "magic_function": {"input": 3}}
        arguments = wanted.get(names[0], {})
        return json.dumps({"name": names[0], "arguments": arguments})
    return "Hello there, I am glad to help you: 1 2 3 4 5"


class TestUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[ChatTeachAgents]:
        return ChatTeachAgents

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "scripted:answers=hello"}


class TestIntegration(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> type[ChatTeachAgents]:
        return ChatTeachAgents

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "scripted", "language_model": ScriptedModel(good_answers)}

    @property
    def model_override_value(self) -> str:
        return "scripted:answers=another"

    @property
    def supports_json_mode(self) -> bool:
        return True

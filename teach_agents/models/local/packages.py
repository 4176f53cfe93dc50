"""torch and transformers, imported when they are first needed; without them an error that names the extra.

And what is loaded with them, once a process.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from importlib.util import find_spec
from typing import Any, ParamSpec, TypeVar, cast

from teach_agents.errors import InputError, MissingExtraError

_Given = ParamSpec("_Given")
_Loaded = TypeVar("_Loaded")


def check_installed() -> None:
    """Raise `MissingExtraError` unless torch and transformers are there; nothing is imported."""
    for name in ("torch", "transformers"):
        if find_spec(name) is None:
            raise MissingExtraError(name, "models")


def package(name: str) -> Any:
    """A package of the extra `models`. Raises `MissingExtraError`.

    Before torch is there its threads are told to sleep while they wait for one another, unless the user has told them
    otherwise: those that spin take ten times as long as soon as anything else wants the processor.
    """
    if "torch" not in sys.modules:
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != name.partition(".")[0]:
            raise
        raise MissingExtraError(name.partition(".")[0], "models") from error


def torch() -> Any:
    """torch."""
    return package("torch")


def transformers() -> Any:
    """transformers."""
    return package("transformers")


def loaded_once(load: Callable[_Given, _Loaded]) -> Callable[_Given, _Loaded]:
    """What loads weights, by one thread at a time, and once for the same source."""
    lock, known = threading.Lock(), cast("Callable[_Given, _Loaded]", cache(load))

    @wraps(load)
    def loaded(*given: _Given.args, **named: _Given.kwargs) -> _Loaded:
        with lock:
            return known(*given, **named)

    return loaded


def check_sizes(where: str, **sizes: int) -> None:
    """Raise `InputError` for the first of some sizes that is below 1."""
    for name, value in sizes.items():
        if value < 1:
            raise InputError(where, f"{name} must be at least 1", value=value)


def check_source(path: str, **sizes: int) -> None:
    """Raise `InputError` for weights that nobody names, and for sizes that cannot be meant."""
    if not path:
        raise InputError("hf", "needs a folder or a hub id: hf:FOLDER")
    check_sizes("hf", **sizes)


@contextmanager
def quiet() -> Iterator[None]:
    """transformers without progress bars and advice: what matters is raised. Not for several threads at once."""
    log = package("transformers.utils.logging")
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # what one of the packages says to another
            yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()

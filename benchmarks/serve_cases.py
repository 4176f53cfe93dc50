"""Requests that schemathesis makes of a server's OpenAPI schema: such as it allows, and such as it does not."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import cycle
from multiprocessing import get_context

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from PIL import Image
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation
from served_live import Held, opened

__all__ = ["schema_cases"]

_AT_ONCE = 200
"""Cases of one operation in a row, from one seed."""
_SHARE = 500
"""Cases, at least, for which another process is started."""
_APART = 10**9
"""How far the seeds of two processes are apart."""
_REAL = 0.5
"""The share of cases that are asked with a real session's id and key."""
_PICTURED = {"/start_new_edh_instance": "edh_history_images", "/get_next_action": "img"}
"""Where TEACh's routes look for a picture; every other case has one that can be read."""


def schema_cases(port: int, many: int, answers: Counter[str]) -> int:
    """Ask so many, count the statuses; how many there were. Every core makes a share of them."""
    cores = min(os.cpu_count() or 1, max(1, many // _SHARE))
    shares = [many // cores + (number < many % cores) for number in range(cores)]
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        asked = 0
        for count, found in pool.map(_share, [port] * cores, shares, range(cores)):
            asked += count
            answers.update(found)
    return asked


def _share(port: int, many: int, number: int) -> tuple[int, Counter[str]]:
    """A process's cases, from seeds of its own."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")
    found = [one.ok() for one in schema.get_all_operations()]
    operations = [one for one in found if not _streams(one)]
    rounds = cycle([(operation, mode) for mode in GenerationMode for operation in operations])
    dice, asked = random.Random(number), 0
    answers: Counter[str] = Counter()
    with requests.Session() as line:
        while asked < many:
            operation, mode = next(rounds)
            session = opened(port, "FloorPlan1") if dice.random() < _REAL else None
            batch = min(_AT_ONCE, many - asked, max(1, many // (2 * len(operations))))
            asked += _batch(operation, mode, batch, session, (_APART * number + asked, port, answers, line))
            if session is not None:
                session.end()
    return asked, answers


def _streams(operation: APIOperation) -> bool:
    """Whether an answer need not end by itself."""
    return operation.path.endswith("/events")


@cache
def _picture() -> str:
    """A JPEG in base64, which every form can carry."""
    file = io.BytesIO()
    Image.new("RGB", (32, 32)).save(file, "JPEG")
    return base64.b64encode(file.getvalue()).decode()


def _batch(
    operation: APIOperation,
    mode: GenerationMode,
    many: int,
    session: Held | None,
    told: tuple[int, int, Counter[str], requests.Session],
) -> int:
    number, port, answers, line = told
    known = {} if session is None else {"headers": {"Authorization": f"Bearer {session.key}"}}
    if session is not None and "{session}" in operation.path:
        known["path_parameters"] = {"session": session.id}
    asked = 0

    @seed(number)
    @settings(
        max_examples=many, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(operation.as_strategy(mode, **known))
    def ask(case: Case) -> None:
        nonlocal asked
        asked += 1
        if asked % 2 and operation.path in _PICTURED and isinstance(case.body, dict):
            case.body = {**case.body, _PICTURED[operation.path]: _picture()}
            case.body.pop("edh_name", None)  # the instance that was begun last
        try:
            answer = case.call(session=line, timeout=60)
            status = answer.status_code
            if (operation.method.upper(), operation.path, status) == ("POST", "/v1/live", 201):
                made = answer.json()  # it is ended, or before long as many would be open as there may be
                Held(port, made["id"], made["keys"]["follower"]).end()
            # As many sessions are open by then as there may be, and that is how the server is to say so.
            answers["full" if (operation.path, status) == ("/ready", 503) else str(status)] += 1
        except requests.RequestException as error:
            answers[f"5: {type(error).__name__}"] += 1

    with contextlib.suppress(Unsatisfiable):  # an operation that takes nothing cannot be asked wrongly
        ask()
    return asked

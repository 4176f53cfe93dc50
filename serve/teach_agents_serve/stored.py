"""Instances and pictures that a request only names: in the folders that whoever started the server gave."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from teach_agents.core.json_types import JsonObject
from teach_agents.data.games import read_json
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Stored:
    """The folders that names are looked up in; `None` where requests have to bring everything themselves.

    These are the reference's `--use_edh_file` and `--use_img_file`. Absolute names are taken too, as long as they lead
    into the folder.
    """

    instances: Path | None = None
    images: Path | None = None

    def instance(self, name: str) -> JsonObject | None:
        """The instance of a name, `None` where there is no folder or no name. Raises `InputError` for any other."""
        path = _inside("edh_name", self.instances, name)
        found = None if path is None else read_json(path)
        if found is not None and not isinstance(found, dict):
            raise InputError("edh_name", "names a file that holds no instance", value=name)
        return found

    def image(self, name: str) -> bytes | None:
        """The picture of a name, `None` where there is no folder or no name. Raises `InputError` for any other."""
        path = _inside("img_name", self.images, name)
        return None if path is None else path.read_bytes()


def _inside(field: str, folder: Path | None, name: str) -> Path | None:
    if folder is None or not name:
        return None
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        inside = path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have: too long, with a zero byte, no Unicode
        inside = False
    if not inside:
        raise InputError(field, "names no file in the server's folder", value=name)
    return path

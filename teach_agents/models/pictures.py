"""Pictures on their way to a server."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


def data_url(image: ByteArray) -> str:
    """An RGB picture (HxWx3, uint8) as the address that holds it: PNG, base64."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(image).save(file, format="PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")

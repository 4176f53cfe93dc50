"""Pictures as TEACh's models know them: PIL images, and JPEG files of them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from PIL import Image

from teach_agents.errors import InputError
from teach_agents.observations import View

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


_FORMATS = ("JPEG", "PNG")


class LazyImage(Image.Image):
    """An RGB image, `size` x `size`, of a view that is drawn when a pixel is first needed.

    PIL calls `load` before it touches pixels, as it does for files that were opened and not read.
    """

    def __init__(self, view: View, size: int) -> None:
        super().__init__()
        self._mode = "RGB"
        self._size = (size, size)
        self._view: View | None = view

    def load(self) -> Any:
        """Draw the picture if that has not been done."""
        view, self._view = getattr(self, "_view", None), None
        if view:
            drawn = image_of(view)
            self._size = drawn.size
            self.im = drawn.im
        return super().load()


def image_of(view: View) -> Image.Image:
    """A view as a PIL image, mode RGB."""
    return Image.fromarray(view.rgb)


def image_file(image: Image.Image, form: str = "JPEG", **options: int) -> bytes:
    """The image as a file; without `options` of PIL's default quality, as the reference's client sends it."""
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def jpeg_file(rgb: ByteArray, **options: int) -> bytes:
    """A picture as a JPEG file."""
    return image_file(Image.fromarray(rgb), "JPEG", **options)


def view_of_image(image: Image.Image) -> View:
    """A view of a PIL image of any mode."""
    return View(lambda: _pixels(image))


def view_of_file(content: bytes, max_pixels: int) -> View:
    """A view of a JPEG or PNG file, decoded when first looked at; its size is checked now.

    Raises `InputError` for what is no such picture and for one of more than `max_pixels`.
    """
    width, height = _opened(content).size
    if width * height > max_pixels:
        raise InputError("image", f"may have at most {max_pixels} pixels", value=f"{width} x {height}")
    return View(lambda: _pixels(_opened(content)))


def _opened(content: bytes) -> Image.Image:
    try:
        return Image.open(io.BytesIO(content), formats=_FORMATS)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError("image", f"is no picture that can be read (of {' or '.join(_FORMATS)})") from error


def _pixels(image: Image.Image) -> ByteArray:
    import numpy as np

    try:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError) as error:
        raise InputError("image", "is damaged") from error

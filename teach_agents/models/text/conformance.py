"""What every TextEncoder must do, as tests that an implementation inherits.

```python
class TestMyEncoder(TextEncoderContract):
    def make_encoder(self) -> TextEncoder:
        return MyEncoder()
```
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from teach_agents.errors import InputError
from teach_agents.models.conformance import in_threads, raises
from teach_agents.models.text.contract import TextEncoder

_TEXTS = ["Wash the mug.", "slice the tomato, please", "wash the mug", "Ünïcode \U0001f345 and\nlines " * 40]
_CLOSE = 1e-4


class TextEncoderContract(ABC):
    """Inherit, say how an encoder is made, and pytest runs the contract."""

    @abstractmethod
    def make_encoder(self) -> TextEncoder:
        """An encoder; it may be shared."""

    def test_a_text_is_a_vector_of_length_one(self) -> None:
        encoder = self.make_encoder()
        vectors = encoder.encode(_TEXTS)
        assert vectors.dtype == np.float32 and vectors.shape == (len(_TEXTS), encoder.dimension)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=_CLOSE)
        assert encoder.encode([]).shape == (0, encoder.dimension)

    def test_a_text_that_says_nothing_is_like_no_other(self) -> None:
        assert not self.make_encoder().encode(["", " \n"]).any()

    def test_alike_texts_are_closer_than_others(self) -> None:
        mug, tomato, same, _ = self.make_encoder().encode(_TEXTS)
        assert mug @ same > mug @ tomato

    def test_a_batch_gives_what_each_text_gives_alone(self) -> None:
        encoder = self.make_encoder()
        alone = np.concatenate([encoder.encode([text]) for text in _TEXTS])
        assert np.abs(encoder.encode(_TEXTS) - alone).max() < _CLOSE

    def test_the_hash_stays_the_same(self) -> None:
        one, other = self.make_encoder().hash, self.make_encoder().hash
        assert one == other and len(one) == 16 and int(one, 16) >= 0

    def test_several_threads_may_ask_at_once(self) -> None:
        encoder = self.make_encoder()
        made = in_threads(lambda _: encoder.encode(_TEXTS))
        assert all(np.abs(one - made[0]).max() < _CLOSE for one in made)

    def test_what_is_no_list_of_texts_is_refused(self) -> None:
        encoder = self.make_encoder()
        for wrong in ("a text", [1], [None]):
            raises(InputError, encoder.encode, wrong)

"""The network EfficientNet-Lite0, as published weights name its parts.

EfficientNet-B0 (Tan and Le 2019, table 1) without squeeze-and-excitation and with ReLU6 for swish, as Google released
it for mobile processors: 3.4 million parameters without its classifier, pictures of 224 x 224, 1,280 channels of 7 x 7.
"""

from __future__ import annotations

import math
from typing import Self

from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

SIZE, CHANNELS = 224, 1280
_STEM = 32
_STAGES = (
    (1, 3, 1, 1, 16),
    (2, 3, 2, 6, 24),
    (2, 5, 2, 6, 40),
    (3, 3, 2, 6, 80),
    (3, 5, 1, 6, 112),
    (4, 5, 2, 6, 192),
    (1, 3, 1, 6, 320),
)
"""Blocks, side of the kernel, stride of the first block, expansion, channels that come out."""
_EPSILON, _MOMENTUM = 1e-3, 0.01


class _Convolution(nn.Conv2d):
    """Padded as TensorFlow pads: as little as makes ceil(size / stride), the odd pixel at the right and below."""

    def forward(self, x: Tensor) -> Tensor:
        """Pad, then convolve; at once where both sides are padded alike."""
        (down, across), kernel, stride = x.shape[-2:], self.kernel_size[0], self.stride[0]
        high, wide = (max((math.ceil(size / stride) - 1) * stride + kernel - size, 0) for size in (down, across))
        alike = (high // 2, wide // 2)
        if high % 2 or wide % 2:
            x, alike = functional.pad(x, (wide // 2, wide - wide // 2, high // 2, high - high // 2)), (0, 0)
        return functional.conv2d(x, self.weight, self.bias, stride, alike, 1, self.groups)


def _convolution(given: int, made: int, kernel: int, stride: int = 1, groups: int = 1) -> _Convolution:
    return _Convolution(given, made, kernel, stride, groups=groups, bias=False)


def _relu6(x: Tensor) -> Tensor:
    return functional.relu6(x, inplace=True)


def _norm(channels: int) -> nn.Module:
    return nn.BatchNorm2d(channels, eps=_EPSILON, momentum=_MOMENTUM)


def _folded(convolution: _Convolution, norm: nn.Module) -> tuple[_Convolution, nn.Module]:
    assert isinstance(norm, nn.BatchNorm2d), "folded once"
    return fuse_conv_bn_eval(convolution, norm), nn.Identity()


class _Block(nn.Module):
    """An inverted residual block: expand, convolve each channel by itself, project."""

    def __init__(self, given: int, made: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = given * expansion
        self._expands = expansion > 1
        if self._expands:
            self._expand_conv, self._bn0 = _convolution(given, wide, 1), _norm(wide)
        self._depthwise_conv, self._bn1 = _convolution(wide, wide, kernel, stride, groups=wide), _norm(wide)
        self._project_conv, self._bn2 = _convolution(wide, made, 1), _norm(made)
        self._adds = stride == 1 and given == made

    def fold(self) -> None:
        """See `Lite0.folded`."""
        if self._expands:
            self._expand_conv, self._bn0 = _folded(self._expand_conv, self._bn0)
        self._depthwise_conv, self._bn1 = _folded(self._depthwise_conv, self._bn1)
        self._project_conv, self._bn2 = _folded(self._project_conv, self._bn2)

    def forward(self, x: Tensor) -> Tensor:
        """What the block makes of a map."""
        wide = _relu6(self._bn0(self._expand_conv(x))) if self._expands else x
        wide = _relu6(self._bn1(self._depthwise_conv(wide)))
        made: Tensor = self._bn2(self._project_conv(wide))
        return made + x if self._adds else made


class Lite0(nn.Module):
    """The layers up to the last feature map, N x 1280 x 7 x 7 of pictures N x 3 x 224 x 224 as (value - 127) / 128."""

    def __init__(self) -> None:
        super().__init__()
        self._conv_stem, self._bn0 = _convolution(3, _STEM, 3, 2), _norm(_STEM)
        blocks, given = [], _STEM
        for count, kernel, stride, expansion, made in _STAGES:
            for number in range(count):
                blocks.append(_Block(given, made, kernel, stride if number == 0 else 1, expansion))
                given = made
        self._blocks = nn.ModuleList(blocks)
        self._conv_head, self._bn1 = _convolution(given, CHANNELS, 1), _norm(CHANNELS)

    def folded(self) -> Self:
        """The network with every normalisation folded into the convolution before it, for looking only: the same maps
        but for rounding, in half the time."""
        self.eval()
        self._conv_stem, self._bn0 = _folded(self._conv_stem, self._bn0)
        self._conv_head, self._bn1 = _folded(self._conv_head, self._bn1)
        for block in self._blocks:
            assert isinstance(block, _Block)
            block.fold()
        return self

    def forward(self, x: Tensor) -> Tensor:
        """The last feature map."""
        x = _relu6(self._bn0(self._conv_stem(x)))
        for block in self._blocks:
            x = block(x)
        made: Tensor = _relu6(self._bn1(self._conv_head(x)))
        return made

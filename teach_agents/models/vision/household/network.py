"""The network: plain 3 x 3 convolutions on five scales, summed up into one map with a cell every four pixels.

A residual backbone (He et al. 2016), its scales joined from the coarsest to the finest (Lin et al. 2017, feature
pyramids), and for every cell of the finest: which types have their middle here (Zhou et al. 2019, objects as points),
how far the four sides of the box about it are, how far away the cell is, and how far the sides of the box about that
are which the cell shows. Dense convolutions only: on processors
they run near peak, depthwise ones do not.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import NamedTuple

from torch import Tensor, nn, no_grad, var_mean
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from teach_agents.models.vision.household.shape import STRIDE, Shape

_RARE = -4.6
"""Logit of 1 %: of what a network that has learnt nothing yet takes for the middle of something."""
_SIDES = 4


class Seen(NamedTuple):
    """What the network says of N pictures, for cells in rows downwards, `STRIDE` pixels apart.

    `heat` are logits, N x types x h x w. `sides` are logarithms of distances from a cell's middle to the left, upper,
    right and lower side of the box, in strides, N x boxes x 4 x h x w: one for each size of things. `depth` are
    logarithms of metres, N x 1 x h x w. `shown`, N x 4 x h x w, is as `sides`, for the box about the object that is to
    be seen at the cell's middle.
    """

    heat: Tensor
    sides: Tensor
    depth: Tensor
    shown: Tensor


class _Convolution(nn.Sequential):
    """A 3 x 3 convolution and batch normalisation, which `settled` folds into it."""

    def __init__(self, given: int, made: int, stride: int = 1) -> None:
        super().__init__(nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made))

    def settle(self) -> None:
        """Fold the normalisation, as learnt, into the convolution."""
        convolution, norm = self
        assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
        self[0], self[1] = fuse_conv_bn_eval(convolution, norm), nn.Identity()

    def unsettle(self, settled: nn.Module, given: object, made: Tensor) -> None:
        """Do what a settled one does, whose weights this has: it `made` these maps, N x channels x h x w."""
        assert isinstance(settled, _Convolution)
        folded, norm = settled[0], self[1]
        assert isinstance(folded, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d) and folded.bias is not None
        assert norm.running_mean is not None and norm.running_var is not None
        spread, mean = var_mean(made, (0, 2, 3), correction=0)
        norm.running_mean.copy_(mean - folded.bias)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(mean)


class _Residual(nn.Module):
    """Two convolutions beside a way round them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = _Convolution(channels, channels), _Convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """What the block makes of a map."""
        inner = functional.relu(self.first(x), inplace=True)
        return functional.relu(self.second(inner).add_(x), inplace=True)


class _Stage(nn.Module):
    """A scale: a convolution that halves the map, residual blocks."""

    def __init__(self, given: int, made: int, blocks: int) -> None:
        super().__init__()
        self.halve = _Convolution(given, made, 2)
        self.blocks = nn.Sequential(*(_Residual(made) for _ in range(blocks)))

    def forward(self, x: Tensor) -> Tensor:
        """What the stage makes of a map, half as wide and high."""
        made: Tensor = self.blocks(functional.relu(self.halve(x), inplace=True))
        return made


class HouseholdNetwork(nn.Module):
    """Pictures N x 3 x H x W, as (value - 127.5) / 64, to what is `Seen`. Any size; a cell covers 4 x 4 pixels."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.stem = _Convolution(3, shape.stem, 2)
        given = (shape.stem, *shape.widths)
        self.stages = nn.ModuleList(
            _Stage(one, made, blocks) for one, made, blocks in zip(given, shape.widths, shape.blocks, strict=False)
        )
        self.across = nn.ModuleList(nn.Conv2d(width, shape.neck, 1) for width in shape.widths)
        self.joined = nn.ModuleList(_Convolution(shape.neck, shape.neck) for _ in shape.widths[1:])
        self.head = _Convolution(shape.neck, shape.head)
        self.told = nn.Conv2d(shape.head, shape.types + _SIDES * shape.boxes + 1 + _SIDES, 1)
        self._begin()

    def _begin(self) -> None:
        for one in self.modules():
            if isinstance(one, nn.Conv2d):
                nn.init.kaiming_normal_(one.weight, mode="fan_out", nonlinearity="relu")
        nn.init.normal_(self.told.weight, std=0.01)
        assert self.told.bias is not None
        nn.init.zeros_(self.told.bias)
        nn.init.constant_(self.told.bias[: self.shape.types], _RARE)

    def forward(self, x: Tensor) -> Seen:
        """What is seen."""
        x = functional.relu(self.stem(x), inplace=True)
        maps = []
        for stage, across in zip(self.stages, self.across, strict=True):
            x = stage(x)
            maps.append(across(x))
        joined = maps.pop()
        for smooth in self.joined:
            finer = maps.pop()
            joined = functional.interpolate(joined, size=finer.shape[-2:]).add_(finer)
            joined = functional.relu(smooth(joined), inplace=True)
        told: Tensor = self.told(functional.relu(self.head(joined), inplace=True))
        types, boxes = self.shape.types, self.shape.boxes
        depth = types + _SIDES * boxes
        sides = told[:, types:depth].reshape(len(told), boxes, _SIDES, *told.shape[2:])
        return Seen(told[:, :types], sides, told[:, depth : depth + 1], told[:, depth + 1 :])

    def settled(self) -> HouseholdNetwork:
        """This network, to be used only: normalisation folded into the convolutions. Half as many passes."""
        self.eval()
        for one in self.modules():
            if isinstance(one, _Convolution):
                one.settle()
        return self

    def unsettled(self, pictures: Tensor) -> HouseholdNetwork:
        """A network to train further that says what this settled one says.

        Each normalisation takes the mean and the spread that its convolution has on these pictures.
        """
        network = HouseholdNetwork(self.shape)
        network.load_state_dict(self.state_dict(), strict=False)
        with no_grad(), ExitStack() as watched:
            for mine, theirs in zip(self.modules(), network.modules(), strict=True):
                if isinstance(theirs, _Convolution):
                    watched.callback(mine.register_forward_hook(theirs.unsettle).remove)
            self(pictures)
        return network

    @classmethod
    def blank(cls, shape: Shape) -> HouseholdNetwork:
        """A settled network whose weights are yet to be loaded."""
        return cls(shape).settled()


assert STRIDE == 4, "the stem and the first stage halve the picture once each"

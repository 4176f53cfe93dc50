"""Views, drawn only when something needs them and kept until the world changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from teach_agents.errors import StaleViewError
from teach_agents.simulator.contract import Camera, Channel, Frame, Simulator, follower_camera

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


SHAPES: frozenset[Channel] = frozenset({Channel.IDS, Channel.DEPTH})
"""What clicks and searches look at."""

Moment = tuple[int, int]
"""Number of the reset, and version of the simulator's state since."""


class Frames:
    """Every picture of the present moment that was drawn so far.

    A frame is kept by camera and size until the simulator's version changes or the household is reset. A channel that
    is asked for later is drawn on its own.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._resets = 0
        self._drawn_at: Moment = (0, -1)
        self._frames: dict[tuple[Camera, int], Frame] = {}

    def reset(self) -> None:
        """Forget every picture: another scene was loaded."""
        self._resets += 1

    @property
    def moment(self) -> Moment:
        """When it is now."""
        return self._resets, self._simulator.state.version

    def draw(self, camera: Camera, channels: frozenset[Channel], size: int) -> Frame:
        """What `camera` sees now; the frame holds at least `channels`."""
        moment = self.moment
        if moment != self._drawn_at:
            self._frames.clear()
            self._drawn_at = moment
        kept = self._frames.get((camera, size))
        missing = channels if kept is None else channels - _held(kept)
        if kept is None or missing:
            new = self._simulator.view(camera, missing, size=size)
            kept = new if kept is None else replace(kept, **{channel: getattr(new, channel) for channel in _held(new)})
            self._frames[camera, size] = kept
        return kept

    def follower(self, channels: frozenset[Channel], size: int) -> Frame:
        """What the Follower sees now."""
        return self.draw(follower_camera(self._simulator.state.agent), channels, size)

    def check(self, moment: Moment) -> None:
        """Raise `StaleViewError` when the world has moved on since `moment`."""
        if self.moment != moment:
            raise StaleViewError(
                "this part of an observation was first looked at after the world had moved on; look at it before the "
                "next action is carried out"
            )

    def at(self, moment: Moment, camera: Camera, channels: frozenset[Channel], size: int) -> Frame:
        """What `camera` sees; raises `StaleViewError` when the world has moved on since `moment`."""
        self.check(moment)
        return self.draw(camera, channels, size)

    def rgb(self, moment: Moment, camera: Camera, size: int) -> ByteArray:
        """The picture of `at`, for somebody who may draw on it."""
        rgb = self.at(moment, camera, frozenset({Channel.RGB}), size).rgb
        assert rgb is not None
        return rgb.copy()  # others see the same frame


def _held(frame: Frame) -> frozenset[Channel]:
    return frozenset(channel for channel in Channel if getattr(frame, channel) is not None)

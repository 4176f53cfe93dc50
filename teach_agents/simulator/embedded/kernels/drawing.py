"""One picture: the visibility buffer, then what each pixel shows in the wanted channels."""

from __future__ import annotations

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import ONE, ZERO, kernel, long_entry
from teach_agents.simulator.embedded.kernels.occlusion import light_left, occlude
from teach_agents.simulator.embedded.kernels.raster import cover
from teach_agents.simulator.embedded.kernels.shading import LANES, LEFT, STRETCH, blacken, row_sight, shade_run, tone

_FAR = np.float32(at.FAR)
_FAR_DEPTH = np.float32(at.FAR_DEPTH)


@kernel
def _depth(parallel, near, out):  # type: ignore[no-untyped-def]
    """Fill a row's distances along the axis, metres."""
    for px in range(len(near)):
        q = near[px]
        far = _FAR - q if parallel else ONE / q
        out[px] = far if q > ZERO else _FAR_DEPTH


@kernel
def _runs(scene, shown, column, pool, textures, lanes):  # type: ignore[no-untyped-def]
    """Shade a stretch of a row that starts at `column`, run by run of pixels that show the same of `shown`."""
    faces, planes, rows = pool.mesh.faces, pool.mesh.planes, pool.rows
    first, count = 0, len(shown)
    while first < count:
        face = shown[np.uint64(first)]
        end = first + 1
        while end < count and shown[np.uint64(end)] == face:
            end += 1
        if face >= 0:
            shade_run(scene, faces, planes, rows, textures, (first, end, column, face), lanes)
        else:
            blacken((first, end), lanes)
        first = end


@kernel
def _colours(camera, light, pool, textures, buffers, rgb):  # type: ignore[no-untyped-def]
    """Fill the bytes of colour, (rows, 3 * columns)."""
    size = buffers.near.shape[0]
    parallel = camera[at.HALF_HEIGHT] > ZERO
    lamp = (light[0], light[1], light[2], light[3], light[4], light[5], light[6], light[7], light[8])
    lines = np.empty((2, buffers.open.shape[1]), np.float32)
    lanes, left = np.ones(LANES, np.float32), np.empty(size, np.float32)
    for row in range(size):
        near, faces, out = buffers.near[row], buffers.face[row], rgb[row]
        scene = (row_sight(camera, size, row), lamp)
        light_left(buffers, row, lines, left)
        for start in range(0, size, STRETCH):
            end = min(start + STRETCH, size)
            _depth(parallel, near[start:end], lanes)
            for k in range(end - start):
                lanes[np.uint64(k) + LEFT] = left[start + k]
            _runs(scene, faces[start:end], start, pool, textures, lanes)
            tone(lanes, out[3 * start : 3 * end])


@kernel
def _identities(pool, face, ids):  # type: ignore[no-untyped-def]
    """Fill the object ids."""
    last, identity = -1, np.int32(-1)
    for row in range(face.shape[0]):
        for px in range(face.shape[1]):
            found = face[row, px]
            if found != last:
                last, identity = found, np.int32(-1)
                if found >= 0:
                    identity = pool.slots[pool.infos[pool.mesh.faces[found, at.FACE_PART], at.SLOT], at.SLOT_ID]
            ids[row, px] = identity


@long_entry
def draw(camera, light, pool, textures, buffers, pixels):  # type: ignore[no-untyped-def]
    """Draw `pool` as `camera` sees it into the wanted channels of `pixels`.

    `camera` float32 (CAMERA_WIDTH), `light` float32 (LIGHT_WIDTH), `textures` uint8 (patterns, 256, 256).
    """
    cover(camera, pool, buffers)
    if pixels.rgb.shape[0]:
        occlude(camera, pool.mesh, buffers)
        size = buffers.near.shape[0]
        _colours(camera, light, pool, textures.reshape(len(textures), -1), buffers, pixels.rgb.reshape(size, 3 * size))
    if pixels.ids.shape[0]:
        _identities(pool, buffers.face, pixels.ids)
    if pixels.depth.shape[0]:
        parallel = camera[at.HALF_HEIGHT] > ZERO
        for row in range(buffers.near.shape[0]):
            _depth(parallel, buffers.near[row], pixels.depth[row])

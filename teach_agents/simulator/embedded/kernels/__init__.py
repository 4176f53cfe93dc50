"""The numba kernels: meshes from parts, the z-buffer rasteriser with shading, and ray casts.

Importing a module of this package imports numba, so everything outside imports them inside functions, when a picture
or a ray is first needed. All kernels are compiled without `fastmath` and with numpy's error model: the same input gives
the same bits on every machine. Machine code is kept for other processes, until any of these modules changes.
"""

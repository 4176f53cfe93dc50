"""The numba kernels: meshes from parts, the z-buffer rasteriser with shading, and ray casts.

Importing a module of this package imports numba, so everything outside imports them inside functions, when a picture
or a ray is first needed. All kernels are compiled with `cache=True`, without `fastmath` and with numpy's error model:
the same input gives the same bits on every machine.

Numba keeps compiled code until the file that defines a kernel changes, not those it calls into: whoever edits one of
these modules deletes the `*.nbi` files beside them.
"""

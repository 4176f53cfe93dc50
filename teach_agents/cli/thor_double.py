"""`teach-agents thor-double`: let the `ai2thor` package find the embedded simulator where it looks for Unity."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

app = typer.Typer(
    help="Let programs that use the ai2thor package run on the embedded simulator, unchanged.", no_args_is_help=True
)

_Platform = Annotated[str, Option(help="The build to stand in for: CloudRendering, or Linux64.")]


@app.command("install")
def install_double(platform: _Platform = "CloudRendering") -> None:
    """Put the double where ai2thor looks for its downloaded build. A real build that is there is left alone.

    After it `Controller(scene="FloorPlan1", platform=CloudRendering)` starts the embedded simulator.
    """
    import ctypes.util

    from teach_agents.simulator.double.releases import install

    typer.echo(f"installed: {install(platform)}")
    if platform == "CloudRendering" and ctypes.util.find_library("vulkan") is None:
        typer.echo(
            "The ai2thor package asks for the Vulkan loader before it starts anything, and this system has none: "
            "install libvulkan1, or use Controller(local_executable_path=...) with what `teach-agents thor-double "
            "command` prints."
        )


@app.command("uninstall")
def uninstall_double(platform: _Platform = "CloudRendering") -> None:
    """Take the double away again."""
    from teach_agents.simulator.double.releases import uninstall

    folder = uninstall(platform)
    typer.echo("nothing was installed" if folder is None else f"removed: {folder}")


@app.command("command")
def show_command() -> None:
    """Print what to give to Controller(local_executable_path=...)."""
    from teach_agents.simulator.double import command

    typer.echo(command())

"""`teach-agents chat --forget`: what chats on the page left on this machine, deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import typer

from teach_agents.cli.chat_page import chat_folders, in_use


def forget_chats(*, sure: bool) -> None:
    """Delete the folders of chats, once it is confirmed; those of chats that are going on stay, which is said."""
    folders = chat_folders()
    if not folders:
        typer.echo("Nothing was kept of any chat.")
        return
    for folder in folders:
        typer.echo(f"{folder}: {_sessions(folder)}")
    typer.echo("Files that you named by --record, and sessions of `teach-agents serve`, are not touched.")
    if not sure and not typer.confirm("Delete all of it?"):
        raise typer.Exit(1)
    for folder in folders:
        if in_use(folder):
            typer.echo(f"{folder}: a chat is going on here; it stays. End the chat, and forget again.")
        else:
            shutil.rmtree(folder)
            typer.echo(f"{folder}: deleted")


def _sessions(folder: Path) -> str:
    """How many sessions a folder holds, and how large it is."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    ended = sum(1 for _ in (folder / "records").glob("*.jsonl"))
    return f"sessions with all that was said in them ({ended} ended), {size / 1e6:.1f} MB"

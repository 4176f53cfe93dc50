"""`teach-agents data`: download TEACh's recorded sessions, count them, look at one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from teach_agents.cli.options import option

app = typer.Typer(help="TEACh's recorded sessions: download, count, look at.", no_args_is_help=True)

_WHAT = "What to get"


@app.command()
def get(
    directory: Annotated[Path, Argument(help="Folder for the archives and what is in them.")] = Path("teach-dataset"),
    file: Annotated[
        list[str] | None,
        option(
            "Get this archive, for example images_and_states.tar.gz; may be repeated. Without it: games, EDH "
            "and TfD instances (experiment_games, edh_instances, tfd_instances).",
            _WHAT,
            "--file",
            "-f",
        ),
    ] = None,
    all_splits: Annotated[
        bool,
        option(
            "Unpack the held-out splits too. By default valid_unseen and the test splits stay packed, so that "
            "nothing is tuned on them by accident (the archives hold every split), and so does all_games.",
            _WHAT,
            "--all-splits",
        ),
    ] = False,
    skip_extract: Annotated[bool, Option("--skip-extract", help="Only download.")] = False,
    skip_download: Annotated[bool, Option("--skip-download", help="Only unpack what is there.")] = False,
    base_url: Annotated[str, Option(help="Where the archives are.", envvar="TEACH_DATA_URL")] = "",
) -> None:
    """Download TEACh's public archives and unpack them.

    An interrupted download goes on where it stopped. Sizes and ETags are checked; SHA-256 sums are recorded in
    manifest.json in the folder.
    """
    from teach_agents.cli.data_view import byte_progress
    from teach_agents.data.download import BASE_URL, TEXT_ARCHIVES, fetch_archive
    from teach_agents.data.extract import extract

    if skip_extract and skip_download:
        raise typer.BadParameter("--skip-extract and --skip-download together leave nothing to do")
    names = _archives(tuple(file or TEXT_ARCHIVES), all_splits=all_splits or skip_extract)
    for name in names:
        if not skip_download:
            with byte_progress(name) as progress:
                fetched = fetch_archive(name, directory, base_url=base_url or BASE_URL, progress=progress)
            typer.echo(f"{name}: {fetched.size:,} bytes, SHA-256 {fetched.sha256}")
        if not skip_extract:
            with byte_progress(name) as progress:
                done = extract(directory / name, directory, all_splits=all_splits, progress=progress)
            left = f"; {done.left_out:,} of held-out splits left packed (--all-splits)" if done.left_out else ""
            typer.echo(f"{name}: {done.written:,} files unpacked into {directory}{left}")


def _archives(names: tuple[str, ...], *, all_splits: bool) -> tuple[str, ...]:
    """Refuse before the first byte what would be refused after the last."""
    from teach_agents.data.download import ARCHIVES
    from teach_agents.data.extract import MIXED_ARCHIVES
    from teach_agents.errors import InputError

    for name in names:
        if name not in ARCHIVES:
            raise InputError("--file", "no such archive", value=name, valid=ARCHIVES)
        if name in MIXED_ARCHIVES and not all_splits:
            raise InputError("--file", f"{name} mixes the sessions of all splits; it needs --all-splits")
    return names


@app.command()
def stats(
    sources: Annotated[list[Path], Argument(help="Folders of game files (searched through), or game files.")],
    as_json: Annotated[bool, Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Count recorded sessions beside the published figures.

    Sessions per task and split, utterances, tokens and actions per role and task, and their histograms. A game's
    split is the name of the folder it lies in. A token is a word or a punctuation mark.
    """
    from teach_agents.cli.data_view import counted, show_summary
    from teach_agents.data.games import game_files, read_game
    from teach_agents.data.stats import session_stats, split_of, summarise

    paths = counted(game_files(sources), "reading sessions")
    summary = summarise(session_stats(read_game(path), split_of(path)) for path in paths)
    if as_json:
        typer.echo(json.dumps(summary.to_json(), indent=2))
    else:
        show_summary(summary)


@app.command()
def show(
    game: Annotated[Path, Argument(help="A game file.")],
    every_step: Annotated[bool, Option("--every-step", help="One line a motion, instead of one a walk.")] = False,
) -> None:
    """Print one recorded session: who said and did what, when, and whether it worked."""
    from teach_agents.cli.data_view import show_game
    from teach_agents.data.games import read_game

    show_game(read_game(game), every_step=every_step)


@app.command()
def instances(
    kind: Annotated[str, Argument(help="edh or tfd.", metavar="KIND")],
    source: Annotated[Path, Argument(help="A folder of sessions, or a game file.")],
    out: Annotated[Path, Argument(help="Folder for the instance files.")],
    every: Annotated[bool, Option("--every", help="Write EDH candidates that the filter rejects as well.")] = False,
) -> None:
    """Cut EDH or TfD instances from sessions, as files in TEACh's format.

    EDH instances say what changes, so every session is carried out on the embedded simulator, about half a second each.
    The format of TfD files is inferred: no released one was at hand.
    """
    from collections import Counter

    from teach_agents.benchmarks.solo.references import game_paths
    from teach_agents.cli.data_view import counted
    from teach_agents.core.benchmark.lookup import benchmark_classes
    from teach_agents.errors import InputError

    writers = {name: cut for name, benchmark in benchmark_classes() if (cut := getattr(benchmark, "cut", None))}
    if kind not in writers:
        raise InputError("instances", "no such benchmark", value=kind, valid=writers)
    found: Counter[str] = Counter()
    for path in counted(game_paths(source, "SOURCE"), "cutting sessions"):
        found.update(writers[kind](path, out, every=every))
    for what, count in found.items():
        typer.echo(f"{what}: {count:,}")

"""The command line: commands for people here, the rules' subcommands in :mod:`tabia.app.stages`.

Heavy imports stay inside the functions: completion runs this program at every Tab.
Exit codes: 0 done, 2 wrong usage or configuration, 3 wrong input data, 1 our fault; and as of
other Unix tools 130 after Ctrl-C, 141 where the reader of the output left early, as `head` does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tabia.app import streams
from tabia.app.analyse_options import analyse
from tabia.app.choices import (
    GoRules,
    MatchGame,
    PerftGame,
    PlayedBy,
    RecordsGame,
    WrittenFormat,
    XiangqiFormat,
    XiangqiRules,
)
from tabia.app.population_options import geometry, nash
from tabia.app.rating_options import payoff, rate
from tabia.app.speed_options import speed
from tabia.app.stages import GROUPS
from tabia.app.streams import OutputError, Prints, PrintsOrWrites

__all__ = ["main"]

_INTERRUPTED, _UNREAD = 130, 141  # 128 + SIGINT, 128 + SIGPIPE
_MISSING = 2


class _UnreadError(Exception):
    """Nobody reads standard output any more."""


class _Commands(TyperGroup):
    """All commands; typer itself would leave with code 1, our fault, where a pipe breaks."""

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **options: Any) -> Any:
        if "--help" in args:
            streams.require_output()
        with _unread():  # --help is printed here
            return super().make_context(info_name, args, *rest, **options)

    def invoke(self, *args: Any, **options: Any) -> Any:
        with _unread():
            result = super().invoke(*args, **options)
            streams.flush()
            return result


@contextmanager
def _unread() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _UnreadError from error


app = typer.Typer(
    name="tabia",
    cls=_Commands,
    help="From game records to evaluators, tables and reports. The DAG: snakemake.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, group in GROUPS.items():
    group.info.no_args_is_help = True
    app.add_typer(group, name=name)


def main() -> None:
    """Run the command line; turn the errors that name a culprit into a message and an exit code."""
    # Sums depend on the number of BLAS threads; one everywhere keeps tables byte for byte equal.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    streams.prepare()
    code: str | int | None = None
    try:
        try:
            _run()
        except SystemExit as end:
            code = end.code
            streams.flush()  # here and not at the interpreter's end, where it is too late
            raise
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except (_UnreadError, BrokenPipeError):
        streams.discard()
        sys.exit(code or _UNREAD)
    except OutputError as error:
        streams.discard()
        if not code:  # or else something was told already
            print(f"tabia: {error}", file=sys.stderr)
        sys.exit(code or error.exit_code)


def _run() -> None:
    try:
        app()
    except (ValueError, OSError, RuntimeError) as error:
        code = getattr(error, "exit_code", None)
        if isinstance(error, BrokenPipeError):
            raise
        if code is None and isinstance(error, OSError):
            code = 3  # a missing file, no permission, a full disk: the message says which
        if code is None:
            raise
        print(f"tabia: {error}", file=sys.stderr)
        sys.exit(code)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "tabia":
            raise
        print(
            f"tabia: needs the package {package}, which this installation has not;"
            " `./setup run` installs everything",
            file=sys.stderr,
        )
        sys.exit(_MISSING)


def _inputs(files: list[Path]) -> list[Path]:
    """Return the files to read; - is standard input, under its own name."""
    return [Path("/dev/stdin") if file == Path("-") else file for file in files]


def _file(out: Path | None) -> Path | None:
    """Return the file to write, None for standard output."""
    return None if out == Path("-") else out


# --- commands for people -----------------------------------------------------------------


@app.command("check-config", cls=Prints)
def check_config(
    file: Annotated[Path, typer.Argument(help="YAML configuration.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Check a configuration: all its errors at once, or what it would run."""
    from tabia.app.commands import check_config as command

    command.check_config(file, as_json=as_json)


@app.command("config-docs")
def config_docs() -> None:
    """Regenerate config/README.md and workflow/schemas/config.schema.json."""
    from tabia.app import config_docs as docs
    from tabia.tables import parquet

    parquet.write_text(Path("config/README.md"), docs.reference())
    parquet.write_text(Path("workflow/schemas/config.schema.json"), docs.schema())


@app.command("ingest", cls=Prints)
def ingest(
    files: Annotated[list[Path], typer.Argument(help="Game files, packed or not; - is stdin.")],
    out: Annotated[
        Path | None, typer.Option(help="Also write games.parquet and rejects.parquet here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Threads that parse chess.")] = 1,
    played_by: Annotated[
        PlayedBy, typer.Option(help="Who played, for the games table.")
    ] = PlayedBy.people,
    game: Annotated[
        RecordsGame | None, typer.Option(help="Whose records; else each file's content decides.")
    ] = None,
    headers: Annotated[
        Path | None, typer.Option(help="Players and results of PlayOK games kept apart.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="A line a file, however many an archive or folder has.")
    ] = False,
) -> None:
    """Read game files, check every move and print what was found, accepted and rejected."""
    from tabia.app.commands import ingest as command

    code = command.ingest(
        _inputs(files),
        out,
        as_json,
        workers,
        played_by=played_by.value,
        game=None if game is None else game.value,
        headers=headers,
        each=each,
    )
    raise typer.Exit(code)


@app.command("convert", cls=PrintsOrWrites)
def convert(
    files: Annotated[
        list[Path], typer.Argument(help="Xiangqi or Go files, packed or not; - is stdin.")
    ],
    to: Annotated[WrittenFormat, typer.Option(help="What to write; sgf of Go, else xiangqi.")],
    source_format: Annotated[
        XiangqiFormat | None,
        typer.Option("--from", help="What the files are; else their content tells."),
    ] = None,
    headers: Annotated[
        Path | None, typer.Option(help="Players and results of PlayOK games kept apart.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write, its folder is made if need be; - or none is stdout."),
    ] = None,
) -> None:
    """Convert xiangqi of any program into PGN or position commands, Go into SGF, moves checked."""
    from tabia.app.commands import convert as command

    command.convert(
        _inputs(files),
        to=to.value,
        source_format=None if source_format is None else source_format.value,
        headers=headers,
        out=_file(out),
    )


@app.command("perft", cls=Prints)
def perft(
    game: Annotated[PerftGame, typer.Argument(help="Whose rules.")],
    depth: Annotated[int, typer.Option(min=0, help="Plies.")],
    fen: Annotated[str | None, typer.Option(help="Where to begin; else the start.")] = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count below each move; xiangqi's ranks are 0 to 9.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Count the leaves of the tree of legal moves: a check of rules, and their speed."""
    from tabia.app.commands import perft as command

    command.perft(game.value, depth, fen=fen, divide=divide, as_json=as_json)


@app.command("referee", cls=Prints)
def referee(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Xiangqi game files, packed or not; - is stdin."),
    ] = None,
    rules: Annotated[
        XiangqiRules, typer.Option(help="What ends repetitions.")
    ] = XiangqiRules.asian,
    quiet_plies: Annotated[
        int, typer.Option(min=0, help="Plies without a capture that make a draw; 0: no such rule.")
    ] = 120,
    max_plies: Annotated[
        int | None, typer.Option(min=1, help="Plies after which a game is a draw.")
    ] = None,
    fen: Annotated[str | None, typer.Option(help="Instead of files: where to begin.")] = None,
    moves: Annotated[
        str | None,
        typer.Option(help='Instead of files: "C2=5 h8+7", "h2e2 h9g7", "炮二平五", any notation.'),
    ] = None,
    source_format: Annotated[
        XiangqiFormat | None,
        typer.Option("--from", help="What the files are; else their content tells."),
    ] = None,
    headers: Annotated[
        Path | None, typer.Option(help="Players and results of PlayOK games kept apart.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """How xiangqi games end by the rules: mates, repetitions, counters, each explained."""
    from tabia.app.commands import referee as command

    command.referee(
        _inputs(files or []),
        rules=rules.value,
        quiet_plies=quiet_plies or None,
        max_plies=max_plies,
        fen=fen,
        moves=moves,
        source_format=None if source_format is None else source_format.value,
        headers=headers,
        as_json=as_json,
    )


@app.command("score", cls=Prints)
def score(
    files: Annotated[list[Path], typer.Argument(help="SGF files, packed or not; - is stdin.")],
    rules: Annotated[
        GoRules | None, typer.Option(help="How to count; else as each record says.")
    ] = None,
    dead: Annotated[
        str | None,
        typer.Option(help='Dead stones, "D4 Q16", one of a chain; "" is none; else by playouts.'),
    ] = None,
    komi: Annotated[
        float | None, typer.Option(help="Instead of the record's; handicap is compensated anyway.")
    ] = None,
    playouts: Annotated[int, typer.Option(min=1, help="To find dead stones by.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Playouts draw from it.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Count games of Go under any set of rules, dead stones named or found."""
    from tabia.app.commands import score as command

    command.score_files(
        _inputs(files),
        rules=None if rules is None else rules.value,
        dead=dead,
        komi=komi,
        playouts=playouts,
        seed=seed,
        as_json=as_json,
    )


@app.command("match", cls=Prints)
def match(
    agent_a: Annotated[str, typer.Argument(help="Who plays: random, stockfish:elo=1500, …")],
    agent_b: Annotated[str, typer.Argument(help="Against whom.")],
    game: Annotated[MatchGame, typer.Option(help="What is played.")],
    games: Annotated[int, typer.Option(help="How many; even, colours are reversed.")] = 20,
    openings: Annotated[
        str, typer.Option(help="Random plies to begin with, or a file: a FEN or moves a line.")
    ] = "4",
    seed: Annotated[int, typer.Option(help="Openings and agents draw from it.")] = 0,
    max_plies: Annotated[
        int, typer.Option(min=0, help="Plies after which a game is drawn, in Go counted; 0: none.")
    ] = 400,
    rules: Annotated[
        str | None,
        typer.Option(help="Xiangqi's on repetition (asian) or Go's set of rules (chinese)."),
    ] = None,
    size: Annotated[int | None, typer.Option(help="Go: lines of the board, 5 to 19; 19.")] = None,
    komi: Annotated[float | None, typer.Option(help="Go: komi in place of the rules'.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Pairs of games side by side.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="PGN or SGF of the games; the same command goes on.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Play two agents against each other in pairs of games, and print the Elo difference."""
    from tabia.app.commands import match as command

    code = command.match(
        (agent_a, agent_b),
        game=game.value,
        games=games,
        openings=openings,
        seed=seed,
        max_plies=max_plies or None,
        rules=rules,
        size=size,
        komi=komi,
        threads=threads,
        out=out,
        json=as_json,
    )
    raise typer.Exit(code)


app.command("analyse", cls=Prints)(analyse)
app.command("speed", cls=Prints)(speed)
app.command("nash", cls=Prints)(nash)
app.command("geometry", cls=Prints)(geometry)
app.command("rate", cls=Prints)(rate)
app.command("payoff", cls=Prints)(payoff)


@app.command("sql", cls=Prints)
def sql(
    query: Annotated[str | None, typer.Argument(help="SQL; none lists the tables.")] = None,
    database: Annotated[Path, typer.Option(help="DuckDB file.")] = Path("results/tabia.duckdb"),
    as_json: Annotated[bool, typer.Option("--json", help="JSON list of rows.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV.")] = False,
) -> None:
    """Ask the results a question in SQL."""
    from tabia.app.commands import sql as command

    command.sql(query, database=database, as_json=as_json, as_csv=as_csv)


@app.command("label", cls=PrintsOrWrites)
def label(
    file: Annotated[Path, typer.Argument(help="One FEN a line; - reads standard input.")],
    depth: Annotated[int | None, typer.Option(min=1, help="Plies of search.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes of search.")] = None,
    movetime_ms: Annotated[
        int | None, typer.Option("--movetime", min=1, help="Milliseconds; does not repeat.")
    ] = None,
    multipv: Annotated[int, typer.Option(min=1, max=2, help="Lines searched.")] = 1,
    engine: Annotated[str, typer.Option(help="Program name or path.")] = "stockfish",
    option: Annotated[
        list[str] | None, typer.Option(help="UCI option NAME=VALUE; may be repeated.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Engines side by side.")] = 1,
    hash_mb: Annotated[int, typer.Option("--hash", min=1, help="Hash of an engine, MiB.")] = 16,
    store: Annotated[Path | None, typer.Option(help="Label store to read and to add to.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write here; - or none is stdout.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Label positions with an engine: one score a position, from White's point of view."""
    from tabia.app.commands import label as command

    command.label(
        file,
        depth=depth,
        nodes=nodes,
        movetime_ms=movetime_ms,
        multipv=multipv,
        engine=engine,
        options=option or [],
        threads=threads,
        hash_mb=hash_mb,
        store=store,
        out=_file(out),
        as_json=as_json,
    )


@app.command("terms", cls=PrintsOrWrites)
def terms(
    file: Annotated[Path, typer.Argument(help="One FEN a line; - reads standard input.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV: fen and 194 columns.")] = False,
    out: Annotated[
        Path | None, typer.Option("--output", "--out", help="Write here; - or none is stdout.")
    ] = None,
) -> None:
    """Print the 97 evaluation terms of each side of positions."""
    from tabia.app.commands import terms as command

    command.terms(file, as_csv=as_csv, output=_file(out))


@app.command("evaluate", cls=Prints)
def evaluate(
    fen: Annotated[
        list[str], typer.Argument(help="A FEN; - reads one FEN a line from standard input.")
    ],
    model: Annotated[
        Path,
        typer.Option(
            help="Folder of a model: results/evaluation/models/FILTER/SCENARIO/MODEL/SEED."
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object on stdout; with - one a line.")
    ] = False,
    engine: Annotated[str, typer.Option(help="Engine beside: name or path.")] = "stockfish",
    no_engine: Annotated[bool, typer.Option("--no-engine", help="Ask no engine.")] = False,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Nodes of the engine; else the labels' limit.")
    ] = None,
    no_explanation: Annotated[
        bool, typer.Option("--no-explanation", help="Values only: much faster for many positions.")
    ] = False,
) -> None:
    """Value of a position by a saved model, why, and what an engine says after a search."""
    from tabia.app.commands import evaluate as command

    command.evaluate(
        fen,
        model,
        as_json=as_json,
        engine=None if no_engine else engine,
        nodes=nodes,
        explain=not no_explanation,
    )


_ABOUT_GAMES = ("headers", "movers", "each", "draws", "confidence", "seed")
_ABOUT_ONE = ("moves", "fen", "elo", "opponent_elo", "temperature", "top_p", "top")


@app.command("predict", cls=Prints)
def predict(
    context: typer.Context,
    model: Annotated[
        Path,
        typer.Option(help="Folder of a model: results/imitation/GAME/models/MODEL/BIN/FOLD."),
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Game files, packed or not; - is stdin. None: about one position."),
    ] = None,
    headers: Annotated[
        Path | None, typer.Option(help="Players and results of PlayOK games kept apart.")
    ] = None,
    movers: Annotated[
        str | None,
        typer.Option(help="Only moves of players with an Elo above the first: 1200-1300."),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Also every move of the games.")] = False,
    draws: Annotated[int, typer.Option(min=100, help="Bootstrap draws, by game.")] = 1000,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")
    ] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 1,
    moves: Annotated[
        str | None,
        typer.Option(help="One position: moves up to it, in any notation; '' for none."),
    ] = None,
    fen: Annotated[
        str | None, typer.Option(help="One position: itself, or where the moves begin.")
    ] = None,
    elo: Annotated[
        int | None, typer.Option(min=1, help="One position: Elo of the side to move.")
    ] = None,
    opponent_elo: Annotated[
        int | None, typer.Option(min=1, help="One position: Elo of its opponent; else the same.")
    ] = None,
    temperature: Annotated[
        float,
        typer.Option(min=0.01, max=100, help="One position: 1 = as people do, below 1 sharper."),
    ] = 1.0,
    top_p: Annotated[
        float,
        typer.Option(min=0, max=1, help="One position: only moves that exceed this together."),
    ] = 1.0,
    top: Annotated[int, typer.Option(min=1, help="One position: moves shown.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """How well a model predicts the moves of games, or what it expects in a position."""
    from tabia.app.commands import predict as command

    if not files:
        if moves is None and fen is None:
            raise typer.BadParameter("name game files, or a position by --moves or --fen")
        _refuse(context, _ABOUT_GAMES, "is about game files; a position has no use for it")
        code = command.predict_next(
            model,
            fen=fen,
            moves=moves or "",
            elo=elo,
            opponent_elo=opponent_elo,
            temperature=temperature,
            top_p=top_p,
            top=top,
            as_json=as_json,
        )
    else:
        if moves is not None or fen is not None:
            raise typer.BadParameter("--moves and --fen ask about one position; leave files out")
        _refuse(context, _ABOUT_ONE, "is about one position; of games the recorded Elos count")
        code = command.predict_games(
            model,
            _inputs(files),
            headers=headers,
            movers=None if movers is None else _elo_range(movers),
            seed=seed,
            draws=draws,
            confidence=confidence,
            as_json=as_json,
            each=each,
        )
    raise typer.Exit(code)


def _refuse(context: typer.Context, names: Sequence[str], why: str) -> None:
    """Refuse options that were given and would do nothing."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{name.replace('_', '-')} {why}")


def _elo_range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal() and int(low) < int(high)):
        raise typer.BadParameter(f"--movers {text!r}: write LOW-HIGH, for instance 1200-1300")
    return int(low), int(high)


@app.command("export-labels", cls=Prints)
def export_labels(
    out: Annotated[Path, typer.Argument(help="Parquet file to write.")],
    store: Annotated[Path, typer.Option(help="Label store.")] = Path("results/state/labels"),
    engine: Annotated[
        str, typer.Option(help="Folder of the engine in the store, if it knows several.")
    ] = "",
) -> None:
    """Publish one engine's labels without games: ids, limits and values, for `labels.stores`."""
    from tabia.engines import store as labels

    table = labels.export(store, out, engine=engine)
    print(f"{out}: {table.num_rows:,} labels")

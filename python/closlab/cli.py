"""The command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from closlab import _core, fabrics, reference, terminal
from closlab.comparison import compare as run_comparison
from closlab.errors import Interrupted, OutputError, PlanError
from closlab.plan import parse_config
from closlab.progress import Bars
from closlab.records import next_free_folder
from closlab.runner import run as run_scenario
from closlab.scenario import Scenario, merge, parse_value, read_text

EXIT_MISTAKE = 2
EXIT_FAILURE = 1
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="closlab",
    help="Compares data-center load balancers, packet by packet.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Out = Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in results/.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the closlab result in --out.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a field, as fabric.spines=8. Repeatable."),
]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="A scenario in TOML; a result's scenario.toml too.")],
    out: Out = None,
    seed: Annotated[int | None, typer.Option(help="Replaces the scenario's seed.")] = None,
    changes: Set = None,
    overwrite: Overwrite = False,
) -> None:
    """Run one scenario."""
    scenario = Scenario.from_file(file)
    written = _apply(scenario.written, changes)
    if seed is not None:
        written["seed"] = seed
    scenario = Scenario.from_mapping(written)
    folder = out or next_free_folder(Path("results"), "run")
    with Bars(terminal.err) as bars:
        result = run_scenario(scenario, out=folder, overwrite=overwrite, watcher=bars)
    terminal.print_result(result)
    terminal.print_text(f"\nResult: {folder}")


@app.command()
def compare(
    config: Annotated[
        Path | None,
        typer.Option(help="A scenario in TOML to start from; a result's comparison.toml too."),
    ] = None,
    leaves: Annotated[int | None, typer.Option(help="Leaf switches.")] = None,
    spines: Annotated[int | None, typer.Option(help="Spine switches.")] = None,
    hosts: Annotated[int | None, typer.Option(help="Hosts under each leaf.")] = None,
    host_rate: Annotated[str | None, typer.Option(help='As "10Gbps".')] = None,
    uplink_rate: Annotated[str | None, typer.Option(help='As "40Gbps".')] = None,
    sizes: Annotated[str | None, typer.Option(help="Flow sizes: see closlab workloads.")] = None,
    load: Annotated[list[str] | None, typer.Option(help="Loads, as 0.3,0.5,0.8. Repeatable.")] = None,
    scheme: Annotated[
        list[str] | None,
        typer.Option(help='Schemes, as ecmp,drill,"drill:d=2,m=1"; the first is the baseline. Repeatable.'),
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds; default 3.")] = None,
    window: Annotated[str | None, typer.Option(help='Measuring window, as "100ms".')] = None,
    warmup: Annotated[str | None, typer.Option(help='Time before it, as "5ms".')] = None,
    engines: Annotated[int | None, typer.Option(help="Forwarding engines of each switch.")] = None,
    changes: Set = None,
    jobs: Annotated[int | None, typer.Option(help="Runs at the same time; default: one a core.")] = None,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare schemes: the same flows under each, at each load, with each seed."""
    options = {
        "fabric.leaves": leaves,
        "fabric.spines": spines,
        "fabric.hosts_per_leaf": hosts,
        "fabric.host_rate": host_rate,
        "fabric.uplink_rate": uplink_rate,
        "workload.sizes": sizes,
        "measure.window": window,
        "measure.warmup": warmup,
        "switch.engines": engines,
    }
    base = parse_config(read_text(config)) if config else {}
    for path, value in options.items():
        base = base if value is None else _with(base, path, value)
    base = _apply(base, changes)
    folder = out or next_free_folder(Path("results"), "compare")
    with Bars(terminal.err) as bars:
        comparison = run_comparison(
            base,
            schemes=None if scheme is None else split_schemes(scheme),
            loads=None if load is None else split_loads(load),
            seeds=seeds,
            out=folder,
            overwrite=overwrite,
            jobs=jobs,
            watcher=bars,
        )
    terminal.print_comparison(comparison)
    terminal.print_text(f"Report: {folder / 'report.html'}")


@app.command()
def fabric(
    spec: Annotated[str, typer.Argument(help="A scenario in TOML, or a kind of fabric, as fat-tree.")],
    changes: Set = None,
    out: Annotated[Path | None, typer.Option(help="Draw it into this file, .svg or .png.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file --out.")] = False,
) -> None:
    """Describe a fabric, and draw it."""
    if out is not None:
        fabrics.check_picture(out, overwrite=overwrite)
    view = fabrics.FabricView.of(Scenario.from_mapping(_apply(fabrics.written(spec), changes)))
    terminal.print_fabric(view)
    if out is not None:
        view.save(out, overwrite=overwrite)
        terminal.print_text(f"\nPicture: {out}")


@app.command()
def schemes(
    name: Annotated[str | None, typer.Argument(help="Show this scheme's manual page.")] = None,
) -> None:
    """List the schemes, or show one's manual page."""
    if name is None:
        terminal.print_schemes()
    else:
        Scenario(scheme={"name": name})
        terminal.print_text(reference.scheme_page(name))


@app.command()
def workloads() -> None:
    """List the distributions of flow sizes."""
    terminal.print_text(reference.workloads_page())


@app.command()
def schema() -> None:
    """Print the JSON schema of a scenario."""
    terminal.print_text(_core.schema())


@app.command(name="reference")
def write_reference(
    folder: Annotated[Path, typer.Argument(help="Where to write the pages.")],
) -> None:
    """Write the reference pages (scenario, schemes, workloads, schema)."""
    reference.write(folder)


def _show_version(wanted: bool) -> None:
    if wanted:
        terminal.print_text(f"closlab {_core.version()}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Compares data-center load balancers, packet by packet."""


def split_schemes(texts: Sequence[str]) -> list[str]:
    """The schemes of comma-separated lists; a piece ``m=1`` belongs to the scheme before it.

    >>> split_schemes(["ecmp,drill:d=2,m=1", "letflow"])
    ['ecmp', 'drill:d=2,m=1', 'letflow']
    """
    schemes: list[str] = []
    for text in texts:
        for index, piece in enumerate(text.split(",")):
            is_parameter = "=" in piece and ":" not in piece
            if is_parameter and index > 0:
                schemes[-1] += f",{piece.strip()}"
            else:
                schemes.append(piece.strip())
    return schemes


def split_loads(texts: Sequence[str]) -> list[float]:
    """The loads of comma-separated lists.

    Raises:
        PlanError: one is not a number.
    """
    loads = []
    for piece in ",".join(texts).split(","):
        try:
            loads.append(float(piece))
        except ValueError:
            raise PlanError(f"--load: {piece!r} is not a number; write for example 0.3,0.5") from None
    return loads


def _apply(written: Any, changes: Sequence[str] | None) -> dict[str, Any]:  # noqa: ANN401
    """``written`` with the ``--set`` options applied."""
    for change in changes or ():
        path, equals, value = change.partition("=")
        if not equals:
            raise PlanError(f"--set: {change!r} is not FIELD=VALUE; write for example fabric.spines=8")
        written = _with(written, path.strip(), parse_value(value.strip()))
    return dict(written)


def _with(written: Any, path: str, value: object) -> dict[str, Any]:  # noqa: ANN401
    """``written`` with the field at the dotted ``path`` changed; of the scheme, only this field."""
    section, dot, field = path.partition(".")
    if not dot:
        return merge(written, {section: value})
    if section == "scheme":
        return {**written, "scheme": {**written.get("scheme", {}), field: value}}
    return merge(written, {section: {field: value}})


def _interrupted(stop: Interrupted) -> None:
    if stop.folder is None:
        terminal.print_error("interrupted; nothing was kept")
    else:
        runs = "run" if stop.finished == 1 else "runs"
        kept = f"kept {stop.finished} finished {runs} in {stop.folder}"
        terminal.print_error(f"interrupted; {kept if stop.finished else 'no run had finished'}")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits: 0, 1 a failure, 2 the user's mistake, 130 Ctrl-C."""
    try:
        app(args=arguments, prog_name="closlab")
        code = 0
    except (_core.ScenarioError, PlanError) as error:
        terminal.print_error(str(error))
        code = EXIT_MISTAKE
    except (OutputError, _core.RunError) as error:
        terminal.print_error(str(error))
        code = EXIT_FAILURE
    except Interrupted as stop:
        _interrupted(stop)
        code = EXIT_INTERRUPTED
    sys.exit(code)

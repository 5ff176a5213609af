"""What all tests share: the command line, small warehouses, and how much is tried."""

import contextlib
import itertools
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_sql.cli.main import run
from ndcg_sql.cli.session import begin
from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import refill
from ndcg_sql.fields import fields_of
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from support import clusters, exploring, servers
from support.commands import Command, Once, Reading, Result
from support.evaluations import Evaluation
from support.files import QRELS, RUN, Judged, Ranked

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from pyspark.sql import SparkSession

SHARED = Path(__file__).parents[2] / "shared" / "data"
_DATASETS = itertools.count()
# Folders whose tests begin with an empty warehouse.
_BEGUN = ("comparison", "loading", "measures", "reading", "reports")
# Tests with these marks run only if they are asked for.
_SPECIAL = ("slow", "clients", "superset", "browser", "spark")
# How Chromium is started.
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *(
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ),
)
# By function: the directory that it filled.
_FILLED: dict[str, Path] = {}

# Without stored bytecode, each process that is started, above all the workers,
# compiles what it imports again, which takes longer than most tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# ranx compiles each of its functions for several seconds; as Python, which it is, it
# gives the same values of small worlds at once.
os.environ["NUMBA_DISABLE_JIT"] = "1"
exploring.load_profile()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give hypothesis the seed that the header tells, where it explores."""
    if exploring.EXPLORING and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = exploring.SEED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Mark what runs where no -m asks for anything else."""
    folder = config.invocation_params.dir
    named = [argument for argument in config.args if "::" in argument]
    for item in items:
        _mark_slow(item)
        is_special = any(map(item.get_closest_marker, _SPECIAL))
        if not is_special or any(_is(item, folder / argument) for argument in named):
            item.add_marker("quick")
    left_out = set(exploring.left_out(items))
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


def _mark_slow(item: pytest.Item) -> None:
    """Mark what is slow because its file mostly is, and it does not say otherwise."""
    own = {mark.name for mark in item.own_markers}
    if "slow" in own:
        item.own_markers[:] = [m for m in item.own_markers if m.name != "quick"]
    elif item.get_closest_marker("mostly_slow") and "quick" not in own:
        item.add_marker("slow")


def _is(item: pytest.Item, named: Path) -> bool:
    """Tell whether a test is the one that is named as FILE::NAME, or one of them."""
    file, _, name = str(named).partition("::")
    own = item.nodeid.partition("::")[2]
    return item.path.samefile(file) and f"{own}[".startswith(f"{name}[")


def pytest_report_header(config: pytest.Config) -> str:
    """Tell how much is tried, and the seed that repeats it."""
    if exploring.SHARE:
        return f"slow cases: NDCG_SQL_SLOW_SHARE={exploring.SHARE}"
    if not exploring.EXPLORING:
        return "examples: few, the same each time; NDCG_SQL_EXPLORE=1 draws others"
    seed = config.option.hypothesis_seed
    return f"examples: many; NDCG_SQL_EXPLORE=1 NDCG_SQL_SEED={seed} repeats them"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the tests that were skipped, so that nobody overlooks them."""
    count = len(terminalreporter.stats.get("skipped", []))
    terminalreporter.write_line(f"{count} skipped")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[SparkSession]":
    """Start a session of Spark, which is slow, for all tests of a process."""
    with clusters.session(tmp_path_factory.mktemp("tables")) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Start Chromium, which asks nobody for anything."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=_FLAGS)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty directory the current one, where no variable names a warehouse.

    Commands take one thread, as there are other tests for the other processors.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NDCG_SQL_WAREHOUSE", raising=False)
    if not exploring.EXPLORING:
        monkeypatch.setenv("NDCG_SQL_THREADS", "1")
    return tmp_path


@pytest.fixture
def bare(here: Path) -> Path:
    """Run where there is no warehouse, not even an empty one."""
    return here


@pytest.fixture(autouse=True)
def _begun(request: pytest.FixtureRequest) -> None:
    """Put an empty warehouse where a test runs, unless it is to be bare.

    To make one would take the first command longer than most loads.
    """
    names = request.fixturenames
    if request.path.parent.name in _BEGUN and "here" in names and "bare" not in names:
        request.getfixturevalue("empty")


@pytest.fixture
def ndcg(
    here: Path,  # noqa: ARG001 - where the command runs
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Command:
    """Run a command line in an empty directory, in this process.

    What is refused may name options of the command, but none that only others have.
    """
    lacking: list[str] = []
    spelled: Any = vars(CommandLine)["_field"]

    def noted(face: CommandLine, name: str) -> object:
        """Return a field; note one that the command does not have."""
        fields = {field.name for field in (*fields_of(begin), *face.options)}
        if face.options and name not in fields:
            lacking.append(name)
        return spelled(face, name)

    monkeypatch.setattr(CommandLine, "_field", noted)

    def command(*arguments: str | Path) -> Result:
        lacking.clear()
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        # Which judgments count is a note on the commands that follow.
        assert code == 0 or {*lacking} <= {"judgments"}, (lacking, err)
        return Result(code, out, err)

    return command


@pytest.fixture
def once(here: Path, tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Fill the empty directory by a function, or copy what it filled before."""

    def filled(fill: Callable[[], object]) -> None:
        key = f"{fill.__module__}.{fill.__qualname__}"
        if key in _FILLED:
            shutil.copytree(_FILLED[key], here, dirs_exist_ok=True)
            return
        fill()
        kept = tmp_path_factory.mktemp("filled")
        shutil.copytree(here, kept, dirs_exist_ok=True)
        _FILLED[key] = kept

    return filled


@pytest.fixture(scope="module")
def _held() -> Iterator[Callable[[Path], object]]:
    """Return a function that keeps a warehouse open for the tests of a module."""
    with contextlib.ExitStack() as stack:
        held: dict[Path, Database] = {}

        def hold(path: Path) -> Database:
            if path not in held:
                held[path] = stack.enter_context(opening.hold(path))
            return held[path]

        yield hold


@pytest.fixture
def reading(
    _held: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> Reading:
    """Have commands find a warehouse that is open, so that they need not load views."""

    def held(path: Path) -> Path:
        _held(path)
        monkeypatch.setenv("NDCG_SQL_WAREHOUSE", str(path))
        return path

    return held


@pytest.fixture
def shared() -> Path:
    """Return the folder of published test data, or skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"published test data is not at {SHARED}")
    return SHARED


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., Evaluation]:
    """Return a function that evaluates a run given as dictionaries."""

    def make(
        judged: Judged,
        ranked: Ranked,
        measures: list[str],
        position_rule: str = "score",
    ) -> Evaluation:
        return Evaluation(tmp_path, judged, ranked, measures, position_rule)

    return make


@pytest.fixture(scope="session")
def memory() -> Iterator[Database]:
    """Return a warehouse in memory; tests share it, each in a dataset of its own."""
    with opening.memory(limits=Limits(threads=1)) as database:
        yield database


@pytest.fixture
def own(memory: Database) -> Warehouse:
    """Return that warehouse as Python has it; a refused call leaves nothing there."""
    return Warehouse(":memory:").holding(memory)


@pytest.fixture
def dataset() -> str:
    """Return the name of a dataset that no other test uses."""
    return f"dataset {next(_DATASETS)}"


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse file that nothing was loaded into, for copying."""
    path = tmp_path_factory.mktemp("empty") / "ndcg.duckdb"
    with opening.write(path, refill) as database, database.transaction():
        pass
    return path


@pytest.fixture
def empty(here: Path, empty_file: Path) -> Path:
    """Put a warehouse where commands find it, if none is there; to make one is slow."""
    path = here / "ndcg.duckdb"
    if not path.exists():
        shutil.copyfile(empty_file, path)
    return path


@pytest.fixture(scope="session")
def loaded_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Return a warehouse file that holds QRELS and RUN, for copying."""
    folder = tmp_path_factory.mktemp("loaded")
    qrels, run_file = folder / "qrels", folder / "base"
    qrels.write_text(QRELS)
    run_file.write_text(RUN)
    shutil.copyfile(empty_file, folder / "ndcg.duckdb")
    with opening.write(folder / "ndcg.duckdb", refill) as database:
        load(database, "judgments", [qrels], Options(), Messages())
        load(database, "run", [run_file], Options(), Messages())
    return folder / "ndcg.duckdb"


@pytest.fixture
def loaded(here: Path, loaded_file: Path) -> Path:
    """Put a warehouse with QRELS and RUN where commands find it."""
    return Path(shutil.copyfile(loaded_file, here / "ndcg.duckdb"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[servers.Server]:
    """Return a PostgreSQL server, or skip where none is installed."""
    with servers.postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def mariadb() -> Iterator[servers.Server]:
    """Return a MariaDB server, or skip where none is installed."""
    with servers.mariadb() as server:
        yield server

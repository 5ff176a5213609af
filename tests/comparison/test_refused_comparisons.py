"""What cannot be compared is refused, with what is wrong and what to do instead."""

import shlex
import shutil
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Reading
from support.tables import check_told, read_cases

USUAL = "gate base lower -m RR --config gate.toml"
REFUSALS = read_cases(Path(__file__).with_name("refusals.txt"), USUAL)
SYSTEMS = {
    **{
        f"{model}-{seed}": {"seed": seed}
        for model in ("small", "large")
        for seed in "12"
    },
    **{f"{model}-fold": {"fold": "1"} for model in ("small", "large")},
    "alone": {},
}


@pytest.fixture(scope="module")
def refusing_file(tmp_path_factory: pytest.TempPathFactory, gated_file: Path) -> Path:
    """Add what has no judged query, another dataset, and systems of three seeds."""
    path = tmp_path_factory.mktemp("refusing") / "ndcg.duckdb"
    shutil.copyfile(gated_file, path)
    with Warehouse.write(path) as own:
        own.load_run({"q98": ["a"], "q99": ["a"]}, "far", dataset="default")
        own.load_judgments({"q00": {"d1": 1}}, "qrels", dataset="other")
        own.load_run({"q00": ["d1"]}, "elsewhere", dataset="other")
        own.load_judgments({"q": {"a": 1}}, "qrels", dataset="models")
        for name, tags in SYSTEMS.items():
            tags = {"model": name.split("-")[0], **tags}
            own.load_run({"q": ["a"]}, name, dataset="models", tags=tags)
    return path


@pytest.mark.parametrize(("command", "text", "told"), exploring.sampled(REFUSALS, 4))
def test_what_makes_no_sense_is_refused(
    ndcg: Command,
    refusing_file: Path,
    reading: Reading,
    command: str,
    text: str,
    told: str,
) -> None:
    path = reading(refusing_file)
    Path("gate.toml").write_bytes(text.encode().replace(b"\\ud800", b"\xff"))
    words = shlex.split(command)
    junit = ("--junit", "gate.xml") if words[0] == "gate" else ()
    check_told(ndcg(*words, *junit).refusal, told)
    assert not Path("gate.xml").exists()
    # A file is refused with its own keys, by Python in the same words.
    if command == USUAL:
        assert "--" not in told
        with pytest.raises(NdcgSqlError) as error:
            Warehouse(path).gate("base", "lower", "RR", config="gate.toml")
        check_told(f"{error.value}\n", told)


def test_the_first_run_decides_the_dataset(
    ndcg: Command, here: Path, refusing_file: Path
) -> None:
    shutil.copyfile(refusing_file, here / "ndcg.duckdb")
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_run({"q00": ["d1"]}, "far", dataset="other")
    assert ndcg("compare", "elsewhere", "far", "-m", "RR").code == 0

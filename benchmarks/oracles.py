"""Compare values with those of other programs, and count them.

    python benchmarks/oracles.py [--values N] [--seed N]... [--file PART] [--csv FILE]

The tests that compare with other libraries and programs, or with formulas written out
once more in Python, draw new worlds for each seed, until each measure, statistic,
method of fusion and model of clicks of a file of tests has been compared with so many
values of each oracle (10,000 by default), or all seeds are used. A comparison that
fails is printed with its values and the seed; the exit code is then 1. The table has a
line for each oracle: what was compared, the least number of values of one, and of all.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from measuring import machine, table, tell, workplace, write_csv

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.compared import LOG, totals

ROOT = Path(__file__).parents[1]

# Where tests compare with an oracle, by what this is about; and those that do.
TESTS = {
    "tests/measures/test_oracle.py": "",
    "tests/measures/test_formulas.py": "the_formulas_give_the_same",
    "tests/measures/test_subtopics.py": "ndeval",
    "tests/comparison/test_statistics.py": "scipy or statsmodels or flips",
    "tests/reports/test_agreement.py": "libraries",
    "tests/loading/test_fusing.py": "definitions or ranx",
    "tests/loading/test_clicks.py": "numpy",
}


def passes(log: Path, seed: int, file: str, words: str) -> bool:
    """Run a file of tests with a seed; return whether there was no difference."""
    environment = {
        **os.environ,
        "NDCG_SQL_EXPLORE": "1",
        "NDCG_SQL_SEED": str(seed),
        "NDCG_SQL_CI": "1",
        LOG: str(log),
    }
    chosen = ["-k", words] if words else []
    command = [sys.executable, "-m", "pytest", "--quiet", "-n", "0"]
    done = subprocess.run(
        [*command, "-m", "slow or not slow", *chosen, file],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    tell(f"seed {seed}, {file}: {done.stdout.strip().splitlines()[-1]}")
    if done.returncode != 0:
        tell(done.stdout)
    return done.returncode == 0


def main() -> None:
    """Compare with each seed, print the table and write the CSV file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--values", type=int, default=10_000, help="of each pair")
    parser.add_argument("--seed", type=int, action="append", help="1 to 40 if omitted")
    parser.add_argument("--file", default="", help="a part of the name of the tests")
    parser.add_argument("--csv", type=Path, help="write a row for each pair there")
    options = parser.parse_args()
    failed, counts = 0, Counter[tuple[str, str]]()
    with workplace(None) as folder:
        for file, words in TESTS.items():
            if options.file not in file:
                continue
            log = folder / Path(file).stem
            for seed in options.seed or range(1, 41):
                failed += not passes(log, seed, file, words)
                if min(totals(log).values()) >= options.values:
                    break
            counts.update(totals(log))
    print(machine("numpy", "scipy"))
    print()
    by_oracle: dict[str, dict[str, int]] = defaultdict(dict)
    for (subject, oracle), count in counts.items():
        by_oracle[oracle][subject] = count
    print(
        table(
            [
                {
                    "oracle": oracle,
                    "what is compared": ", ".join(sorted(subjects)),
                    "least of one": f"{min(subjects.values()):,}",
                    "values": f"{sum(subjects.values()):,}",
                }
                for oracle, subjects in sorted(by_oracle.items())
            ]
        )
    )
    if options.csv:
        pairs = counts.items()
        rows = [{"subject": s, "oracle": o, "values": n} for (s, o), n in pairs]
        write_csv(options.csv, rows)
    print(f"\nruns of tests with differences: {failed}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

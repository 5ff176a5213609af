"""Keep the ranking of each epoch, and stop when a new one would not pass the gate.

    python examples/training_loop.py

train_epoch stands for any framework: it returns scores for the validation queries.
"""

from collections.abc import Mapping

from ndcg_sql import Warehouse

Scores = Mapping[str, Mapping[str, float]]


class RankingCheck:
    """A callback: loads the run of an epoch, and compares it with the best so far."""

    def __init__(self, path: str, judgments: Mapping[str, Mapping[str, float]]) -> None:
        """Name a warehouse, and load the judgments of the validation queries."""
        self.warehouse = Warehouse(path)
        self.warehouse.load_judgments(judgments, "validation")
        self.best: str | None = None

    def on_epoch_end(self, epoch: int, scores: Scores) -> bool:
        """Load a run with its epoch as a tag; return whether it is not worse."""
        name = f"epoch-{epoch:02}"
        # A second training replaces the runs of the first.
        tags = {"epoch": str(epoch)}
        self.warehouse.load_run(scores, name, tags=tags, replace=True)
        if self.best is None:
            self.best = name
            return True
        gate = self.warehouse.gate(
            self.best, name, "nDCG@10", max_drop=0.05, strict=True
        )
        print(f"{name}: {gate.message}")
        [row] = gate
        if gate and row["difference"] > 0:
            self.best = name
        return gate.passed


def train_epoch(epoch: int) -> Scores:
    """Return scores that improve for three epochs, and then get worse."""
    quality = min(epoch, 6 - epoch)
    return {
        f"q{q}": {
            f"d{d}": float(quality * (d % 3 == q % 3)) + (d * 7 + q) % 10 / 4
            for d in range(30)
        }
        for q in range(40)
    }


def main() -> None:
    """Train until the gate fails, then print the values over time."""
    judged = {
        f"q{q}": {f"d{d}": float(d % 3 == q % 3) for d in range(30)} for q in range(40)
    }
    check = RankingCheck("training.duckdb", judged)
    for epoch in range(1, 7):
        if not check.on_epoch_end(epoch, train_epoch(epoch)):
            break
    print(f"best: {check.best}")
    for row in check.warehouse.history("nDCG@10"):
        print(row["run"], round(row["value"], 4))


if __name__ == "__main__":
    main()

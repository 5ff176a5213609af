"""How a gate and its rules end.

Apart from what decides it, so that tables can be laid out without the statistics,
whose imports would take a tenth of the time of a short command.
"""

from dataclasses import dataclass

from ndcg_sql.comparison.answers import Part, Record

# A pass that more queries might not confirm, and what too few queries leave open.
NOT_PROVEN = "pass (not proven)"
OPEN = "underpowered"


@dataclass(frozen=True)
class Verdict:
    """The outcome of every rule, and the greatest losses where one failed.

    The losses are grouped by measure and part: the slice that a rule is about. covers
    says what means over replicates cover, if values are such.
    """

    rows: list[Record]
    losses: dict[tuple[str, Part], list[Record]]
    covers: list[str]

    @property
    def failed(self) -> list[Record]:
        """The rules that make the gate fail."""
        return [row for row in self.rows if row["fails"]]

    @property
    def let_through(self) -> list[Record]:
        """The rules that pass although the drop exceeds the tolerance."""
        return [row for row in self.rows if row["exceeded"] and not row["fails"]]

    @property
    def outcome(self) -> str:
        """The verdict in one word."""
        if self.failed:
            return "fail"
        return OPEN if self.let_through else "pass"

    @property
    def message(self) -> str:
        """The verdict in one line."""
        if self.failed:
            message = f"gate failed: {len(self.failed)} of {len(self.rows)} rules"
            by_strict = sum(row["by_strict"] for row in self.failed)
            return message + f", {by_strict} by strict alone" * bool(by_strict)
        undecided = ""
        for outcome, words in ((NOT_PROVEN, "not proven"), (OPEN, OPEN)):
            count = sum(row["outcome"] == outcome for row in self.rows)
            before = "," if undecided else f" of {len(self.rows)} rules"
            if count and undecided:
                undecided += f", {count} {words}"
            elif count:
                undecided = f"; {count}{before} {words}"
        larger = len(self.let_through)
        exceeded = f", {larger} with a drop above the tolerance" if larger else ""
        return f"gate passed{undecided}{exceeded}"

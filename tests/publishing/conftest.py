"""What the tests of publishing see of it."""

from collections.abc import Iterator

import pytest

from ndcg_sql.publishing.plan import Change, Fingerprints, Plan

Computed = list[tuple[str, str]]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Computed:
    """Return the list of all parts that are computed from now on."""
    computed: Computed = []
    changes = Plan.changes

    def noted(self: Plan, held: Fingerprints) -> Iterator[Change]:
        for change in changes(self, held):
            computed.extend((change.relation.name, part.part) for part in change.new)
            yield change

    monkeypatch.setattr(Plan, "changes", noted)
    return computed

"""What the tests of publishing see of it."""

from collections.abc import Iterator

import pytest

from ndcg_sql.publishing.plan import Change, Fingerprints, Plan
from support.servers import Server

Computed = list[tuple[str, str]]
TARGETS = ("bi.duckdb", "marts/", "sqlite:///marts.db", "postgresql", "mariadb")


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


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> str:
    """Return what is published to: a file, a folder or a database."""
    if request.param not in ("postgresql", "mariadb"):
        return request.param
    server: Server = request.getfixturevalue(request.param)
    if request.param == "postgresql":
        server.execute("drop schema if exists ndcg_sql cascade")
    return server.url

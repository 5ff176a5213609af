"""Servers that are killed while they are published to."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.publishing import databases
from support import servers
from support.commands import Command
from support.servers import PASSWORD, Serving

pytestmark = pytest.mark.slow
# MariaDB keeps the tables of a transaction that was not committed, without rows.
_LEFT = {
    "postgresql": "select count(*) from pg_tables where schemaname = 'ndcg_sql'",
    "mariadb": "select count(*) from runs",
}
_RUNS = {
    "postgresql": "select run from ndcg_sql.runs",
    "mariadb": "select run from runs",
}


@pytest.mark.parametrize("serve", [servers.postgresql, servers.mariadb])
def test_a_killed_server_has_nothing_and_gets_all_the_next_time(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch, serve: Any
) -> None:
    before = loaded.read_bytes()
    serving: Serving = serve()
    with serving as server:
        usual = databases.append

        def killed(tables: Any, database: Any, relation: Any, *rest: Any) -> None:
            if relation.name == "rankings":
                server.kill()
            usual(tables, database, relation, *rest)

        with monkeypatch.context() as patched:
            patched.setattr(databases, "append", killed)
            done = ndcg("publish", server.url)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"{server.url.split(':')[0]}://tester:***@")
        assert PASSWORD not in done.err
        assert loaded.read_bytes() == before
        server.run()
        assert server.rows(_LEFT[serve.__name__]) == [(0,)]
        again = ndcg("publish", server.url)
        assert again.code == 0, again.err
        assert server.rows(_RUNS[serve.__name__]) == [("base",)]

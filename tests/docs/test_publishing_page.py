"""The API that docs/publishing.md shows answers as the report does."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command
from support.libraries import library

PAGE = Path(__file__).parents[2] / "docs" / "publishing.md"


@pytest.mark.slow
def test_the_api_answers_from_a_published_file(
    ndcg: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("fastapi")
    testclient: Any = library("fastapi.testclient")
    assert ndcg("demo").code == 0
    assert ndcg("publish", "dashboards.duckdb").code == 0
    text = PAGE.read_text(encoding="utf-8")
    [code] = re.findall(r'```py title="api.py"\n(.*?)```', text, re.DOTALL)
    (here / "api.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(here), *sys.path])
    import api  # pyright: ignore[reportMissingImports]

    module: Any = api
    client = testclient.TestClient(module.app)
    try:
        answer = client.get("/runs", params={"measure": "AP"})
        report = ndcg("report", "-m", "AP", "--format", "json")
        wanted = {row["run"]: row["value"] for row in json.loads(report.out)}
        assert {row["run"]: row["value"] for row in answer.json()} == wanted
        assert client.get("/runs", params={"dataset": "'; drop"}).json() == []
    finally:
        module.engine.dispose()
        del sys.modules["api"]

"""Files of other formats that are refused: each in its words, at its line."""

import json
from pathlib import Path
from random import Random

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from support import exploring
from support.scripts import scripted
from support.ways_in import loaded_run

test_script = scripted(__file__)

GOOD = '{"query_id": "q", "doc_id": "d", "score": 1}\n'


@pytest.mark.slow
@pytest.mark.parametrize("times", [exploring.amount(25, 150)])
def test_any_bytes_as_json_are_refused_or_read_as_python_reads_them(
    memory: Database, tmp_path: Path, times: int
) -> None:
    chance = Random(11)
    whole = GOOD.strip() + "\n" + GOOD.replace('"d"', "12").strip()
    for n in range(times):
        text = list(whole)
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text))] = chance.choice('{}[]",:01e.-nq \\\n')
        path = tmp_path / "r.jsonl"
        path.write_text("".join(text))
        try:
            found = loaded_run(memory, path)
        except NdcgSqlError:
            continue
        read = [
            json.loads(line) for line in path.read_text().split("\n") if line.strip()
        ]
        assert {(q, d, s) for q, d, _, s in found} == {
            (str(row["query_id"]), str(row["doc_id"]), float(row["score"]))
            for row in read
        }, n

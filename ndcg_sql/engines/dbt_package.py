"""The relations of a script as a package of dbt: models, and tests for the checks."""

import json
import shutil
from pathlib import Path

from sqlglot import exp

from ndcg_sql.engines.relations import is_local, relations
from ndcg_sql.engines.script import Emission, checks, written
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import named, use

# In the schema of a profile, a model could replace a table of the same name.
_PROJECT = """\
name: {name}
config-version: 2

model-paths: [models]
test-paths: [tests]

models:
  {name}:
    +materialized: table
    +schema: {name}
"""


def write(emission: Emission, folder: Path) -> None:
    """Write a package to a folder; raise NdcgSqlError if it is there already."""
    engine = emission.engine
    if engine.dialect == "clickhouse":
        raise NdcgSqlError(
            "clickhouse needs settings that do not hold in models",
            "omit " + named("dbt"),
            where=named("dbt"),
        )
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        reason = "exists; name a new folder" if folder.exists() else error.strerror
        raise NdcgSqlError(str(reason), where=use(dbt=str(folder))) from None
    try:
        for name, text in _files(emission).items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder)
        raise


def _files(emission: Emission) -> dict[str, str]:
    """Return the texts of all files by path."""
    engine = emission.engine
    project = _PROJECT.format(name=emission.schema)
    after = engine.table.partition(";\n")[2]
    for hook, statements in (
        ("pre", engine.settings),
        ("post", [after.format(name="{{ this }}")] if after else []),
    ):
        if statements:
            project += f"    +{hook}-hook: {json.dumps(list(statements))}\n"
    texts = {"dbt_project.yml": project}
    about = ["version: 2", "", "models:"]
    made = relations(emission.measures, emission.tables, emission.baseline)
    for name, relation in made.items():
        for table in list(relation.tree.find_all(exp.Table)):
            if table.name in made and not is_local(table, relation.tree):
                named = exp.to_table(f"ref__{table.name}__")
                alias = table.alias or table.name
                table.replace(exp.alias_(named, alias, table=True))
        select = _plain(written(engine, relation.tree))
        for other in made:
            select = select.replace(f"ref__{other}__", f"{{{{ ref('{other}') }}}}")
        texts[f"models/{name}.sql"] = select + "\n"
        about += [f"  - name: {name}", f"    description: {_yaml(relation.comment)}"]
    texts["models/models.yml"] = "\n".join(about) + "\n"
    for name, (select, message) in checks(emission).items():
        texts[f"tests/{name}.sql"] = f"-- {_plain(message)}\n{_plain(select)}\n"
    return texts


def _plain(text: str) -> str:
    """Return a text that dbt takes for no template."""
    return text.replace("{", "{{ '{' }}") if "{{" in text or "{%" in text else text


def _yaml(text: str) -> str:
    """Return a text as YAML, and for dbt no template."""
    return json.dumps(_plain(text), ensure_ascii=False)

"""Builds the empty warehouse that travels in the wheel."""

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest.mock import patch

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TemplateHook(BuildHookInterface[Any]):
    """Makes the template of new warehouses with the SQL of this checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put it into the wheel, or into the checkout where that is installed."""
        sys.path.insert(0, self.root)
        from ndcg_sql.database import opening, schema, template

        package = Path(self.root) / "ndcg_sql" / "database"
        folder = package if version == "editable" else Path(mkdtemp())
        for old in folder.glob("template-*.duckdb"):
            old.unlink()
        path = folder / template.name()
        # Under its own name it would be taken for what is to be copied.
        unfinished = folder / "unfinished.duckdb"
        # Two builds are equal; a warehouse copied from it has a time of its own.
        with patch.object(schema, "now", return_value="1970-01-01 00:00:00"):
            opening.make(unfinished)
        unfinished.replace(path)
        if version != "editable":
            inside = f"ndcg_sql/database/{path.name}"
            build_data["force_include"][str(path)] = inside

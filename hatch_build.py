"""Builds the empty warehouse that travels in the wheel, and what an index shows."""

import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# Before a path in the repository; not before a heading or an address.
_RELATIVE = r"(?!#|\w+:)"


class TemplateHook(BuildHookInterface[Any]):
    """Makes the template of new warehouses with the SQL of this checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put it into the wheel, or into the checkout where that is installed."""
        sys.path.insert(0, self.root)
        from ndcg_sql.database import opening, schema, template

        folder = Path(self.root) / "ndcg_sql" / "database"
        if version != "editable":
            self._scratch = TemporaryDirectory()
            folder = Path(self._scratch.name)
        for old in folder.glob("template-*.duckdb"):
            old.unlink()
        path = folder / template.name()
        # Only a whole one has its name, however the build ends.
        unfinished = folder / "unfinished.duckdb"
        # Two builds are equal: it is not copied from the one that an installed checkout
        # has, and says no time; a warehouse copied from it has a time of its own.
        with (
            patch.object(template, "path", return_value=None),
            patch.object(schema, "now", return_value="1970-01-01 00:00:00"),
        ):
            opening.make(unfinished)
        unfinished.replace(path)
        if version != "editable":
            inside = f"ndcg_sql/database/{path.name}"
            build_data["force_include"][str(path)] = inside

    def finalize(
        self,
        version: str,
        build_data: dict[str, Any],  # noqa: ARG002
        artifact_path: str,  # noqa: ARG002
    ) -> None:
        """Remove the template, which is in the wheel now."""
        if version != "editable":
            self._scratch.cleanup()


class PageHook(MetadataHookInterface):
    """Describes the project by its README, whose links work wherever it is shown."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Let links begin at the repository, where a release names it."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        url = os.environ.get("NDCG_SQL_REPOSITORY_URL")
        if url:
            tag = f"v{metadata['version']}"
            text = re.sub(rf"(!\[[^]]*\]\(){_RELATIVE}", rf"\1{url}/raw/{tag}/", text)
            text = re.sub(rf"(\]\(){_RELATIVE}", rf"\1{url}/blob/{tag}/", text)
            metadata["urls"] = {
                "Source": url,
                "Changes": f"{url}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{url}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

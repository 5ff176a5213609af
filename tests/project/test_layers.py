"""Imports lead one way, as the contracts in pyproject.toml say."""

import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from support.libraries import library

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LAYERED, ACYCLIC = SETTINGS["tool"]["importlinter"]["contracts"]


@pytest.fixture(scope="module")
def imports() -> Any:
    """Return what imports what in the package."""
    return library("grimp").build_graph("ndcg_sql", cache_dir=None)


def layers(names: list[str]) -> list[Any]:
    """Return layers as grimp wants them; those of one line know nothing of each other.

    The name of a layer with a bar holds several modules.
    """
    split = [[part.strip() for part in name.split("|")] for name in names]
    return [library("grimp").Layer(*parts, independent=True) for parts in split]


def broken(imports: Any, names: list[str]) -> list[str]:
    """Return what imports something that is not below it."""
    found = imports.find_illegal_dependencies_for_layers(
        layers=layers(names), containers={"ndcg_sql"}
    )
    return sorted(f"{one.importer} imports {one.imported}" for one in found)


def test_each_layer_imports_only_those_below_it(imports: Any) -> None:
    assert LAYERED["type"] == "layers"
    assert LAYERED["containers"] == ["ndcg_sql"]
    assert broken(imports, LAYERED["layers"]) == []
    assert broken(imports, LAYERED["layers"][::-1]) != []


def test_every_module_has_a_layer(imports: Any) -> None:
    assert LAYERED["exhaustive"] is True
    named = [part.strip() for name in LAYERED["layers"] for part in name.split("|")]
    children = imports.find_children("ndcg_sql")
    assert sorted(named) == sorted(name.partition(".")[2] for name in children)


def needs(imports: Any, package: str) -> dict[str, set[str]]:
    """Return by child of a package which of its other children it imports."""
    children = imports.find_children(package)
    home = {
        module: child
        for child in children
        for module in {child, *imports.find_descendants(child)}
    }
    found: dict[str, set[str]] = {child: set() for child in children}
    for module, child in home.items():
        for other in imports.find_modules_directly_imported_by(module):
            if home.get(other, child) != child:
                found[child].add(home[other])
    return found


def test_no_package_has_a_circle_inside(imports: Any) -> None:
    assert ACYCLIC["type"] == "acyclic_siblings"
    assert ACYCLIC["ancestors"] == ["ndcg_sql.**"]
    packages = [name for name in imports.modules if imports.find_children(name)]
    assert len(packages) > 10
    for package in packages:
        try:
            TopologicalSorter(needs(imports, package)).prepare()
        except CycleError as error:
            pytest.fail(f"{package} has a circle: {' imports '.join(error.args[1])}")


def test_a_circle_would_be_found(imports: Any) -> None:
    found = needs(imports, "ndcg_sql")
    assert "ndcg_sql.system" in found["ndcg_sql.database"]
    found["ndcg_sql.system"].add("ndcg_sql.database")
    with pytest.raises(CycleError):
        TopologicalSorter(found).prepare()

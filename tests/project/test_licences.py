"""Whatever ndcg-sql installs may be used and passed on by anybody, as it may itself."""

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

# By their names in https://spdx.org/licenses.
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"),
    *("PSF-2.0", "Zlib"),
}
# Drivers of PostgreSQL, which come with extras alone, unchanged and as packages of
# their own: the LGPL asks for no more.
AS_THEY_ARE = {"psycopg": "LGPL-3.0-only", "psycopg-binary": "LGPL-3.0-only"}
CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
}
# What the files of old versions say, whose metadata say nothing.
UNSTATED = {"vl-convert-python": "BSD-3-Clause"}
EXTRAS = ("all", "spark")
PAGE = Path(__file__).parents[2] / "docs" / "licences.md"
HEAD = """\
# Licences

<!-- Written by tests/project/test_licences.py; edit that instead. -->

The packages that `pip install ndcg-sql` installs, and those that its extras add, with
the licences that they declare. ndcg-sql itself downloads nothing: no extensions of
DuckDB, no fonts or scripts of pages, no models.

| package | licence | only with an extra |
| --- | --- | --- |"""


def installed(name: str, extras: tuple[str, ...]) -> Iterator[tuple[str, Distribution]]:
    """Yield a package and all that it requires here; one may come more than once."""
    waiting, seen = [(name, extras)], set[tuple[str, tuple[str, ...]]]()
    while waiting:
        name, extras = waiting.pop()
        name = re.sub("[-_.]+", "-", name).lower()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            # Only an extra may be missing; of ours, test_marks tells.
            continue
        yield name, package
        for text in package.requires or ():
            wanted = Requirement(text)
            chosen = [{"extra": extra} for extra in ("", *extras)]
            if wanted.marker is None or any(map(wanted.marker.evaluate, chosen)):
                waiting.append((wanted.name, tuple(sorted(wanted.extras))))


def licence(package: Distribution) -> str:
    """Return the licence of a package: an expression, or that of its classifier."""
    expressions = texts(package, "License-Expression")
    expressions += [text for text in texts(package, "License") if text in ALLOWED]
    if expressions:
        return expressions[0]
    classifiers = texts(package, "Classifier")
    names = [c.split(" :: ")[-1] for c in classifiers if c.startswith("License ::")]
    return " AND ".join(CLASSIFIERS.get(name, name) for name in names)


def texts(package: Distribution, field: str) -> list[str]:
    """Return what the metadata of a package have in a field."""
    stated: list[str] | None = package.metadata.get_all(field)
    return stated or []


def is_allowed(expression: str) -> bool:
    """Tell whether each part of an expression, or one of its choices, is allowed."""
    return all(
        any(choice.strip(" ()") in ALLOWED for choice in part.split(" OR "))
        for part in expression.split(" AND ")
    )


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD", True),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("AGPL-3.0-or-later", False),
        ("", False),
    ],
)
def test_expressions_are_understood(expression: str, allowed: bool) -> None:
    assert is_allowed(expression) == allowed


def licences(*extras: str) -> dict[str, str]:
    """Return the licence of each package that is installed, by its name."""
    packages = sorted(dict(installed("ndcg-sql", extras)).items())
    return {n: licence(package) or UNSTATED.get(n, "") for n, package in packages}


def page() -> str:
    """Return the page of docs that lists them."""
    usual = licences()
    rows = [
        f"| {name} | {stated} | {'' if name in usual else 'yes'} |"
        for name, stated in licences(*EXTRAS).items()
        if name != "ndcg-sql"
    ]
    return "\n".join([HEAD, *rows, ""])


def test_the_page_lists_all_that_is_installed() -> None:
    stated = PAGE.read_text(encoding="utf-8")
    missing = {name for name in licences(*EXTRAS) if f"| {name} |" not in stated}
    assert missing <= {"ndcg-sql"}, f"python {__file__} writes {PAGE}"


def test_all_that_is_installed_has_an_allowed_licence() -> None:
    licences_of_all = licences(*EXTRAS)
    usual = {"ndcg-sql", "duckdb", "numpy", "typer", "markupsafe"}
    assert usual < licences_of_all.keys()
    others = {
        name: stated
        for name, stated in licences_of_all.items()
        if not is_allowed(stated) and AS_THEY_ARE.get(name) != stated
    }
    assert others == {}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""URLs of databases: which driver serves one, and what of it may be shown."""

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING
from urllib.parse import quote

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless, shortened
from ndcg_sql.wording import Wording, use

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

_VARIABLE = r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))"
# Before a path, no user and no password is named.
_USER = r"(?P<scheme>[\w+]+://)(?P<user>[^/@][^@]*|)@(?P<place>[^?]*)(?P<query>.*)"
_SECRET_KEYS = re.compile("pass|pwd|secret|token|key|connect", re.IGNORECASE)
# Of dialects whose URL names no driver: the drivers and their modules, the first
# that is installed is used.
_DRIVERS = {
    "postgresql": (("psycopg", "psycopg"), ("psycopg2", "psycopg2")),
    "mysql": (("pymysql", "pymysql"), ("mysqldb", "MySQLdb")),
    "mariadb": (("pymysql", "pymysql"), ("mysqldb", "MySQLdb")),
}
_SCHEMES = (*_DRIVERS, "postgres", "sqlite", "duckdb")
_EXTRAS = {"postgresql": "postgresql", "mysql": "mysql", "mariadb": "mysql"}
# DuckDB without a file, which reads the files that a select names.
DUCKDB = ("duckdb:", "duckdb://", "duckdb:///", "duckdb:///:memory:")
# How many seconds a server has to answer, at least.
PATIENCE = 10.0
_LONGEST_REASON = 300


@dataclass(frozen=True)
class Address:
    """The URL of a database, how to show it, and secrets that are never shown."""

    url: "URL"
    shown: str
    secrets: tuple[str, ...]

    @property
    def is_memory(self) -> bool:
        """Whether it is DuckDB without a file of its own."""
        is_duckdb = self.url.get_backend_name() == "duckdb"
        return is_duckdb and self.url.database in (None, "", ":memory:")

    def scrubbed(self, text: str) -> str:
        """Return text without the secrets of the URL."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text

    def failed(self, error: Exception) -> NdcgSqlError:
        """Return an error of the database or its driver as one line."""
        cause = getattr(error, "orig", None) or error
        # MySQL's drivers put a number before the text.
        said = cause.args[1] if len(cause.args) == 2 else cause
        lines = [line.strip() for line in str(said).splitlines() if line.strip()]
        reason, *more = lines or [type(cause).__name__]
        remedy = ""
        if self.is_memory:
            reason = re.sub(r"^[\w ]+ Error: ", "", reason).rstrip("!:")
            columns = [one for one in more if one.startswith("Candidate bindings")]
            remedy = columns[0] if columns else "correct the select or its paths"
        shown = shortened(self.scrubbed(reason), _LONGEST_REASON)
        return NdcgSqlError(shown, remedy, where=self.shown)


def is_address(text: str) -> bool:
    """Return whether a text is a URL or names a variable with one; no path is."""
    return "://" in text or re.fullmatch(_VARIABLE, text) is not None


def has_scheme(text: str) -> bool:
    """Return whether a text begins like the URL of a database that is often used."""
    scheme = rf"({'|'.join(_SCHEMES)})(\+\w+)?:"
    return re.match(scheme, text, re.IGNORECASE) is not None


def address(text: str, where: Wording) -> Address:
    """Return what a user's URL means; no refusal shows it: it may have a password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    user = re.fullmatch(_USER, text, re.DOTALL)
    start, end = user.span("user") if user else (0, 0)

    def value(named: re.Match[str]) -> str:
        setting = os.environ[named[1] or named[2]]
        return quote(setting, safe="") if start <= named.start() < end else setting

    try:
        text = re.sub(_VARIABLE, value, text)
    except KeyError as error:
        raise NdcgSqlError(
            f"the environment variable {error.args[0]} is not set", where=where
        ) from None
    parts = re.fullmatch(_USER, text, re.DOTALL)
    if parts and "@" in parts["place"]:
        raise NdcgSqlError(
            "the URL has more than one @",
            "in a password, write it as %40, or name an environment variable with the"
            " password: user:$NAME@host",
            where=where,
        )
    try:
        text = re.sub("^postgres://", "postgresql://", text)
        url = make_url(re.sub("^duckdb:(?!//)", "duckdb:///", text))
    except (ArgumentError, ValueError):
        raise NdcgSqlError(
            "not the URL of a database, such as"
            " postgresql://user:$NAME@host/database or sqlite:///shop.db",
            where=where,
        ) from None
    named = [("password", str(url.password or "")), *url.query.items()]
    values = [
        value
        for key, setting in named
        if _SECRET_KEYS.search(key)
        for value in ([setting] if isinstance(setting, str) else setting)
    ]
    secrets = [*values, *(quote(value, safe="") for value in values)]
    shown = url.set(query={}).render_as_string(hide_password=True)
    hidden = tuple(sorted(set(filter(None, secrets)), key=len, reverse=True))
    where_to = Address(url, harmless(shown), hidden)
    return replace(where_to, shown="duckdb") if where_to.is_memory else where_to


def engine(where: Address, read_only: bool) -> "Engine":
    """Return an engine; raise NdcgSqlError if its dialect or driver is missing."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError
    from sqlalchemy.pool import NullPool

    url = where.url
    if drivers := _DRIVERS.get(url.drivername):
        installed = [driver for driver, module in drivers if find_spec(module)]
        driver = next(iter(installed), drivers[0][0])
        url = url.set(drivername=f"{url.drivername}+{driver}")
    try:
        options = _read_only(where) if read_only else {}
        return create_engine(url, poolclass=NullPool, **options)
    except NoSuchModuleError:
        raise NdcgSqlError(
            f"{where.shown}: SQLAlchemy knows no {harmless(url.drivername)};"
            " install its package, or correct the URL"
        ) from None
    except ImportError as error:
        module = (error.name or url.get_driver_name()).split(".")[0]
        extra = _EXTRAS.get(where.url.drivername)
        package = f"pip install 'ndcg-sql[{extra}]'" if extra else "install its package"
        raise NdcgSqlError(
            f"{where.shown}: the driver {module} is not installed; {package}"
        ) from None
    except ArgumentError as error:
        raise where.failed(error) from None


def answered(
    connect: Callable[[], "Connection"], where: Address, patience: float
) -> "Connection":
    """Return a connection, or raise NdcgSqlError if there is none within seconds."""
    if where.url.get_backend_name() == "sqlite":
        # SQLite's connections belong to the thread that makes them.
        return connect()
    answers: SimpleQueue[Connection | Exception] = SimpleQueue()

    def work() -> None:
        try:
            answers.put(connect())
        except Exception as error:
            answers.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        answer = answers.get(timeout=patience)
    except Empty:
        raise NdcgSqlError(
            f"{where.shown}: no answer within {patience:g} seconds",
            "is the address right? To wait longer: " + use(wait=round(6 * patience, 1)),
        ) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def duckdb_file(where: Address) -> str:
    """Return the path of a file of DuckDB, which waits for ever for a pipe."""
    path = where.url.database or ""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113
        raise NdcgSqlError(f"{where.shown}: not a file; name one of DuckDB")
    return path


def _read_only(where: Address) -> dict[str, object]:
    url = where.url
    dialect, path = url.get_backend_name(), url.database or ""
    # A path that begins so is already a URI of SQLite, with options of its own.
    if dialect != "sqlite" or path.startswith("file:"):
        return {}
    if url.host:
        raise NdcgSqlError(
            f"{where.shown}: no file; three slashes come before its path, as in"
            " sqlite:///shop.db"
        )
    if path in ("", ":memory:") or not os.path.isfile(path):  # noqa: PTH113
        raise NdcgSqlError(f"{where.shown}: no such file")

    def connect() -> object:
        import sqlite3

        # Otherwise SQLite would create what it does not find.
        uri = f"file:{quote(os.path.abspath(path))}?mode=ro"  # noqa: PTH100
        return sqlite3.connect(uri, uri=True)

    return {"creator": connect}

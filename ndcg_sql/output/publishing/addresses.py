"""The URLs of databases: what they mean, and how they are named without secrets."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import quoted, shortened

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.engine import URL


def named(url: URL) -> str:
    """Return a URL without its password and options."""
    return url.set(query={}).render_as_string(hide_password=True)


def parsed(target: str) -> URL:
    """Return a URL as SQLAlchemy's; psycopg is the driver if none is named."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(target)
    except (ArgumentError, ValueError):
        scheme = target.partition("://")[0]
        raise NdcgSqlError(
            f"{shortened(scheme)}://…: not the URL of a database, such as"
            " postgresql://user@host/database"
        ) from None
    drivers = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql"}
    if url.get_backend_name() == "duckdb":
        raise NdcgSqlError("duckdb://…: name the file itself: FILE.duckdb")
    return url.set(drivername=drivers.get(url.drivername, url.drivername))


@contextmanager
def connected(url: URL) -> Generator[Engine]:
    """Make an engine, whose errors become messages without secrets."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

    name = named(url)
    try:
        engine = create_engine(url)
    except NoSuchModuleError:
        raise NdcgSqlError(
            f"{name}: SQLAlchemy has no dialect {quoted(url.drivername)}"
        ) from None
    except ModuleNotFoundError as error:
        backend = url.get_backend_name()
        raise NdcgSqlError(
            f"{name}: the driver {error.name} is missing: pip install"
            f" 'ndcg-sql[{backend}]', or {error.name}"
        ) from None
    try:
        yield engine
    except Exception as error:
        # COPY is the driver's own, and so are its errors.
        driver: Any = engine.dialect.loaded_dbapi
        if isinstance(error, (SQLAlchemyError, driver.Error)):
            raise NdcgSqlError(f"{name}: {_reason(error, url)}") from None
        raise
    finally:
        engine.dispose()


def _reason(error: Exception, url: URL) -> str:
    """Return the first line of a driver's error, without the password."""
    cause = getattr(error, "orig", None) or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    text = lines[0] if lines else type(cause).__name__
    for secret in (url.password, *_texts(url.query.values())):
        if secret:
            text = text.replace(str(secret), "***")
    return shortened(text, 300)


def _texts(values: Iterable[str | Sequence[str]]) -> Generator[str]:
    """Return the values of a URL's options, each of which may be several."""
    for value in values:
        yield from [value] if isinstance(value, str) else value

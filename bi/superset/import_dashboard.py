"""Import the dashboard into Superset and point it at what ndcg-sql published.

    python import_dashboard.py dashboards.duckdb
    python import_dashboard.py postgresql://analyst@db.example.com/marts

Superset's server must be able to open the file, or to reach the database. Run it
again to point the dashboard elsewhere: it replaces database, datasets, charts and
dashboard of an earlier import, with all changes that were made to them in Superset.
Needs only Python; the password of Superset's user is asked for, or taken from the
variable SUPERSET_PASSWORD.
"""

import argparse
import getpass
import io
import json
import os
import re
import sys
import urllib.error
import urllib.request
import uuid
import zipfile
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# The queries that other programs ask, too.
QUESTIONS = HERE.parent / "sql"
KINDS = ("databases", "datasets", "charts", "dashboards")
DASHBOARD = "superset/dashboard/search-quality/"
Document = dict[str, Any]


class Refused(Exception):  # noqa: N818 - what it is, not that it is an error
    """What went wrong, and what to do; the only text that a user sees."""


def address(target: str) -> tuple[str, str]:
    """Return the URL by which Superset opens a target, and the schema inside it."""
    if "://" not in target:
        path = str(Path(target).absolute())
        if "?" in path:
            raise Refused(f"{target}: a path in a URL cannot have a question mark")
        return f"duckdb:///{path}?access_mode=read_only", "main"
    # Superset's SQLAlchemy knows psycopg2 only, ndcg-sql's psycopg 3 too.
    url, found = re.subn(r"^(postgresql)(\+psycopg)?://", r"\1://", target)
    if not found:
        scheme = target.partition("://")[0]
        raise Refused(f"{scheme}://…: neither a published .duckdb file nor postgresql")
    return url, "ndcg_sql"


def bundle(url: str, schema: str, kind: str) -> bytes:
    """Return the files as a ZIP archive that Superset imports."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:

        def write(name: str, text: str) -> None:
            files.writestr(f"ndcg-sql/{name}", text)

        write("metadata.yaml", _set("type", kind, _read("metadata.yaml")))
        for folder in KINDS:
            for path in sorted((HERE / folder).glob("*.yaml")):
                name = f"{folder}/{path.name}"
                text = _read(name)
                if folder == "databases":
                    text = _set("sqlalchemy_uri", url, text)
                if folder == "datasets":
                    text = _with_questions(_set("schema", schema, text))
                write(name, text)
    return archive.getvalue()


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _with_questions(text: str) -> str:
    """Return a YAML text with the queries that it names as {{NAME.sql}}, indented."""

    def named(found: re.Match[str]) -> str:
        indent, name = found.groups()
        text = (QUESTIONS / name).read_text(encoding="utf-8")
        # Each chart orders its rows; to order all before would take most of the time.
        lines = re.split(r"(?m)^order by\b", text)[0].rstrip().splitlines()
        # The descriptions of the dataset and its columns say what comments say.
        code = [line for line in lines if not line.lstrip().startswith("--")]
        return "\n".join(indent + line if line else "" for line in code)

    return re.sub(r"(?m)^( +)\{\{(\w+\.sql)\}\}$", named, text)


def _set(key: str, value: str, text: str) -> str:
    """Return a YAML text with another value of a key at its top."""
    line = f"{key}: {json.dumps(value)}"
    return re.sub(rf"(?m)^{key}: .*$", lambda _: line, text, count=1)


class Superset:
    """The API of a Superset server, as one of its users."""

    def __init__(self, server: str, user: str, password: str) -> None:
        self._server = server.rstrip("/")
        self._headers = {"Referer": self._server}
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(cookies)
        found = self.ask(
            "security/login",
            {"username": user, "password": password, "provider": "db"},
        )
        self._headers["Authorization"] = f"Bearer {found['access_token']}"
        token = self.ask("security/csrf_token/")["result"]
        self._headers["X-CSRFToken"] = token

    def ask(self, path: str, content: Document | None = None) -> Document:
        """Return the answer to a question, or to one with JSON content."""
        body = None if content is None else json.dumps(content).encode()
        return self._send(path, body, "application/json")

    def upload(self, path: str, name: str, content: bytes) -> Document:
        """Send a file as the field of a form."""
        mark = uuid.uuid4().hex
        head = (
            f"--{mark}\r\nContent-Disposition: form-data;"
            f' name="{name}"; filename="{name}.zip"\r\n'
            "Content-Type: application/zip\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self._send(path, body, f"multipart/form-data; boundary={mark}")

    def _send(self, path: str, body: bytes | None, kind: str) -> Document:
        request = urllib.request.Request(  # noqa: S310 - the server that the user names
            f"{self._server}/api/v1/{path}",
            body,
            {**self._headers, "Content-Type": kind},
        )
        try:
            with self._opener.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(f"{self._server}: {_reason(error)}") from None
        except (urllib.error.URLError, ValueError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise Refused(f"{self._server}: no answer of Superset: {reason}") from None


def _reason(error: urllib.error.HTTPError) -> str:
    """Return what Superset says about a refused request, in one line."""
    text = error.read().decode(errors="replace")
    try:
        found: Document = json.loads(text)
    except ValueError:
        return f"{error.code} {error.reason}"
    messages = [str(each.get("message")) for each in found.get("errors", [])]
    message = "; ".join(messages) or str(found.get("message"))
    # What SQLAlchemy puts around the words of the database.
    message = re.sub(r"\(Background on this error at: \S+\)|\[SQL: ", "", message)
    message = re.sub(r"\(builtins\.NoneType\) None|\]\s*$", "", message)
    way_out = "; check --user and SUPERSET_PASSWORD" if error.code == 401 else ""
    return f"{error.code} {' '.join(message.split())}{way_out}"


def deliver(superset: Superset, url: str, schema: str) -> None:
    """Import the bundle, unless Superset cannot open what it would read."""
    superset.ask(
        "database/test_connection/",
        {"sqlalchemy_uri": url, "database_name": "ndcg-sql (test)"},
    )
    superset.upload("assets/import/", "bundle", bundle(url, schema, "assets"))
    query = "(filters:!((col:database_name,opr:eq,value:ndcg-sql)))"
    [number] = superset.ask(f"database/?q={query}")["ids"]
    tables = superset.ask(
        f"database/{number}/tables/?q=(force:!t,schema_name:{schema})"
    )
    if "run_values" not in {table["value"] for table in tables["result"]}:
        raise Refused(
            f'imported, but Superset finds no table "run_values" in the schema'
            f' "{schema}"; publish first: ndcg-sql publish TARGET'
        )


def _password(user: str) -> str:
    """Return the password from the environment, or ask for it."""
    if "SUPERSET_PASSWORD" in os.environ:
        return os.environ["SUPERSET_PASSWORD"]
    if not sys.stdin.isatty():
        raise Refused(f"no password of {user}: set SUPERSET_PASSWORD")
    return getpass.getpass(f"Password of {user}: ")


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        description="Import the dashboard into Superset, pointed at what ndcg-sql"
        " published."
    )
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="published file, as the path that Superset's server opens, or URL of the"
        " PostgreSQL database",
    )
    parser.add_argument(
        "--schema", metavar="NAME", help="schema of PostgreSQL [default: ndcg_sql]"
    )
    parser.add_argument(
        "--superset",
        metavar="URL",
        default="http://localhost:8088",
        help="address of Superset [default: %(default)s]",
    )
    parser.add_argument(
        "--user", default="admin", help="user of Superset [default: %(default)s]"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="write the bundle, to be imported in Superset under Dashboards, instead",
    )
    given = parser.parse_args()
    try:
        url, schema = address(given.target)
        schema = given.schema or schema
        if given.output:
            content = bundle(url, schema, "Dashboard")
            try:
                given.output.write_bytes(content)
            except OSError as error:
                reason = error.strerror
                raise Refused(f"{given.output}: cannot write: {reason}") from None
            print(f'wrote "{given.output}"')
            return 0
        superset = Superset(given.superset, given.user, _password(given.user))
        deliver(superset, url, schema)
    except Refused as error:
        print(error, file=sys.stderr)
        return 2
    print(f"imported; open {given.superset.rstrip('/')}/{DASHBOARD}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

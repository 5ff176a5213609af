"""Database servers that tests start, fill and kill: PostgreSQL and MariaDB.

Their programs are packages of Debian (postgresql, mariadb-server); none has to run.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from support.libraries import library

USER = "tester"
# Its characters have a meaning in a URL; no message may show it.
PASSWORD = "s3cr3t@w/rd:1?"
DATABASE = "shop"
_PATIENCE = 60.0


@dataclass
class Server:
    """A server with an empty database, and the process that serves it.

    start starts one process; log is the file that it writes to.
    """

    url: str
    port: int
    start: Callable[[], "subprocess.Popen[bytes]"]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    def run(self) -> None:
        """Start the server, for the first time or after it was killed."""
        from sqlalchemy import create_engine
        from sqlalchemy.exc import DBAPIError

        self.process = self.start()
        engine = create_engine(self.url)
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                engine.connect().close()
                break
            except DBAPIError:
                lives = self.process.poll() is None and time.monotonic() < end
                assert lives, self.log.read_text(errors="replace")[-2000:]
                time.sleep(0.1)
        engine.dispose()

    def kill(self) -> None:
        """End the server and all of its processes at once, as a crash would."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def execute(self, *statements: str) -> None:
        """Run statements, each in a transaction of its own."""
        from sqlalchemy import create_engine

        options = {"no_parameters": True}
        engine = create_engine(self.url, execution_options=options)
        for statement in statements:
            with engine.begin() as connection:
                connection.exec_driver_sql(statement)
        engine.dispose()

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """Return the rows of a select."""
        from sqlalchemy import create_engine

        options = {"no_parameters": True}
        engine = create_engine(self.url, execution_options=options)
        with engine.connect() as connection:
            found = [tuple(row) for row in connection.exec_driver_sql(select)]
        engine.dispose()
        return found


# What runs a server while inside.
Serving = AbstractContextManager[Server]


def _program(name: str, folders: Iterable[Path]) -> Path:
    """Return the newest program of a name, or skip the test if there is none."""
    found = [folder / name for folder in folders if (folder / name).exists()]
    if not found:
        pytest.skip(f"{name} is not installed (apt-get install postgresql or mariadb)")
    return found[-1]


def _user() -> Any:
    """Return an unprivileged user for servers, which refuse to run as root."""
    pwd = pytest.importorskip("pwd")
    return pwd.getpwnam("nobody") if os.getuid() == 0 else None


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def _folder() -> Generator[Path]:
    """Make a folder that an unprivileged server can use."""
    user = _user()
    # Such a server may be unable to enter the folder that TMPDIR names to root.
    place = "/tmp" if user else None
    folder = Path(tempfile.mkdtemp(prefix="ndcg-server-", dir=place))
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _options(folder: Path) -> Mapping[str, Any]:
    """Return how to start the programs of a server."""
    user = _user()
    ids = {"user": user.pw_uid, "group": user.pw_gid} if user else {}
    extra: Mapping[str, Any] = {"extra_groups": []} if user else {}
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C"}
    return {"cwd": folder, "env": environment, **ids, **extra}


@contextmanager
def _serving(
    command: list[str | Path], folder: Path, url: str, port: int
) -> Generator[Server]:
    """Start a server, and stop it afterwards."""
    log = folder / "log"

    def start() -> "subprocess.Popen[bytes]":
        with log.open("ab") as output:
            process: Any = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **_options(folder),
            )
        return process

    server = Server(url, port, start, log)
    try:
        server.run()
        yield server
    finally:
        server.kill()


def _url(scheme: str, port: int) -> str:
    return f"{scheme}://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/{DATABASE}"


@contextmanager
def postgresql() -> Generator[Server]:
    """Run a PostgreSQL server, or skip the test where none is installed."""
    library("psycopg")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    path = [Path(part) for part in os.environ["PATH"].split(os.pathsep)]
    program = _program("postgres", [*path, *folders])
    with _folder() as folder:
        secret, data = folder / "secret", folder / "data"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        init = [program.with_name("initdb"), "-D", data, "-U", USER, "-E", "UTF8"]
        init += ["--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync"]
        subprocess.run(init, check=True, capture_output=True, **_options(folder))
        port = free_port()
        command = [program, "-D", data, "-p", str(port), "-F", "-k", folder]
        url = _url("postgresql+psycopg", port)
        with _serving(command, folder, url.replace(DATABASE, "postgres"), port) as any_:
            import psycopg

            with psycopg.connect(
                host="127.0.0.1",
                port=port,
                user=USER,
                password=PASSWORD,
                dbname="postgres",
                autocommit=True,
            ) as connection:
                connection.execute(f"create database {DATABASE}")
            any_.url = url
            yield any_


@contextmanager
def mariadb() -> Generator[Server]:
    """Run a MariaDB server, or skip the test where none is installed."""
    library("pymysql")
    path = [Path(part) for part in os.environ["PATH"].split(os.pathsep)]
    program = _program("mariadbd", [*path, Path("/usr/sbin")])
    install = _program("mariadb-install-db", [*path, Path("/usr/bin")])
    with _folder() as folder:
        data, start = folder / "data", folder / "start.sql"
        start.write_text(
            f"create database {DATABASE} character set utf8mb4;\n"
            f"create user '{USER}'@'%' identified by '{PASSWORD}';\n"
            f"grant all on *.* to '{USER}'@'%';\n"
        )
        start.chmod(0o644)
        made = [install, "--no-defaults", f"--datadir={data}", "--skip-test-db"]
        subprocess.run(made, check=True, capture_output=True, **_options(folder))
        port = free_port()
        command = [program, "--no-defaults", f"--datadir={data}", f"--port={port}"]
        command += ["--bind-address=127.0.0.1", f"--socket={folder / 'socket'}"]
        command += [f"--init-file={start}", f"--pid-file={folder / 'pid'}"]
        command += ["--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve"]
        with _serving(command, folder, _url("mysql+pymysql", port), port) as server:
            yield server

"""One run of the program: the global options, and the warehouse that they name."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages, Silent

if TYPE_CHECKING:
    from ndcg_sql.python.warehouse import Warehouse
    from ndcg_sql.questions.handle import Handle


@dataclass
class Session:
    """One run of the program: a warehouse, limits, and where messages go.

    path is that of the warehouse; wait is how many seconds to wait for others; face
    spells what users are told.
    """

    path: Path = Path()
    wait: float = 0
    limits: Limits = field(default_factory=Limits)
    messages: Messages = field(default_factory=Silent)
    face: CommandLine = field(default_factory=CommandLine)
    # Whether the command concerns the warehouse at all.
    has_warehouse: bool = True
    _opened: "list[Warehouse]" = field(default_factory=list["Warehouse"])

    @classmethod
    def of(cls, context: typer.Context) -> "Session":
        """Return the session that a command belongs to."""
        session = context.find_object(cls)
        if session is None:
            raise RuntimeError("a command without a session")
        return session

    def warehouse(self) -> "Warehouse":
        """Return the warehouse, which each of its methods opens."""
        # Imported late, as in all commands: help should not wait for DuckDB.
        from ndcg_sql.python.warehouse import Warehouse

        warehouse = Warehouse(
            self.path, wait=self.wait, messages=self.messages, limits=self.limits
        )
        self._opened.append(warehouse)
        return warehouse

    def handle(self, question: "partial[Any]") -> "AbstractContextManager[Handle]":
        """Give the warehouse to a question; messages go where the session's go."""
        return self.warehouse().handle(self.messages, question.keywords)

    def warehouse_read(self) -> "Warehouse":
        """Open the warehouse for reading only."""
        from ndcg_sql.python.warehouse import Warehouse

        return Warehouse.read(self.path, self.wait, self.messages, self.limits)

    def warehouse_written(self) -> "Warehouse":
        """Open the warehouse for writing; make it if there is none."""
        from ndcg_sql.python.warehouse import Warehouse

        warehouse = Warehouse.write(self.path, self.wait, self.messages, self.limits)
        self._opened.append(warehouse)
        return warehouse

    @property
    def has_changed(self) -> bool:
        """Whether a change of the warehouse is committed."""
        return any(warehouse.has_changed for warehouse in self._opened)

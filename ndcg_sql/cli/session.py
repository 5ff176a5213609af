"""The global options, and the warehouse that they name."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ndcg_sql.requests.shared import Request
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages, Silent

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.python import Warehouse

WAREHOUSE = Path("ndcg.duckdb")
TIMEOUT = 10.0


@dataclass
class Session:
    """One run of the program: a warehouse, limits, and where messages go."""

    warehouse: Path = WAREHOUSE
    timeout: float = TIMEOUT
    limits: Limits = field(default_factory=Limits)
    messages: Messages = field(default_factory=Silent)
    # Whether the command concerns the warehouse at all.
    has_warehouse: bool = True
    _written: "list[Database]" = field(default_factory=list["Database"])

    @classmethod
    def of(cls, context: typer.Context) -> "Session":
        """Return the session that a command belongs to."""
        session = context.find_object(cls)
        if session is None:
            raise RuntimeError("a command without a session")
        return session

    def reading(self, copy: bool = False) -> "Database":
        """Open the warehouse, or a copy of it, for reading only."""
        # Imported late, as in all commands: help should not wait for DuckDB.
        from ndcg_sql.database import opening

        return opening.read(
            self.warehouse, self.timeout, self.messages, self.limits, copy=copy
        )

    def warehouse_read(self) -> "Warehouse":
        """Open the warehouse for reading only, as Python users do."""
        from ndcg_sql.python import Warehouse

        held = self.reading()
        return Warehouse(self.warehouse, limits=self.limits).holding(held)

    def warehouse_for(self, request: Request) -> "Warehouse":
        """Open the warehouse for reading only, or one in memory if that is enough."""
        if request.needs_warehouse:
            return self.warehouse_read()
        from ndcg_sql.database import opening
        from ndcg_sql.python import Warehouse

        self.has_warehouse = False
        return Warehouse(":memory:").holding(opening.scratch(self.limits))

    def warehouse_written(self, make: bool = True) -> "Warehouse":
        """Open the warehouse for writing, as Python users do."""
        from ndcg_sql.python import Warehouse

        held = self.writing(make)
        return Warehouse(self.warehouse, limits=self.limits).holding(held)

    def writing(self, make: bool = True) -> "Database":
        """Open the warehouse for writing; without make, it must exist."""
        from ndcg_sql.database import opening
        from ndcg_sql.evaluation.values import refill

        database = opening.write(
            self.warehouse, refill, self.timeout, self.messages, self.limits, make
        )
        self._written.append(database)
        return database

    @property
    def has_changed(self) -> bool:
        """Whether a change of the warehouse is committed."""
        return any(database.changed for database in self._written)

"""The errors that a user can get, with their exit codes."""


class NdcgSqlError(Exception):
    """A failed operation; the message states where, what is wrong and what to do.

    The message may have several lines: one per fault, then the remedy. The
    warehouse is left exactly as it was. code is the exit code of the command
    line.
    """

    code = 2


class ExitError(NdcgSqlError):
    """A failed operation with its own exit code."""

    def __init__(self, message: str, code: int) -> None:
        """Take the message and the exit code."""
        super().__init__(message)
        self.code = code


class BadRowsError(NdcgSqlError):
    """Rows of a file that break checks.

    checks are the names of these checks; compared is true if each row is valid
    by itself and only conflicts with other rows.
    """

    def __init__(self, message: str, checks: frozenset[str], compared: bool) -> None:
        """Take the message and what is wrong with the rows."""
        super().__init__(message)
        self.checks = checks
        self.compared = compared


class LockedError(NdcgSqlError):
    """Another process has locked the warehouse file."""


class DiskFullError(NdcgSqlError):
    """A disk has no space left for a write."""

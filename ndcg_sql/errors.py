"""What the user is told when something cannot be done."""


class NdcgSqlError(Exception):
    """Something that cannot be done; the message says where, what and what to do.

    The message may have several lines: one for each fault, then the remedy.
    Whoever raises it has left the warehouse exactly as it was. code is the exit
    code of the command line.
    """

    code = 2


class ExitError(NdcgSqlError):
    """Something that cannot be done, with an exit code of its own."""

    def __init__(self, message: str, code: int) -> None:
        """Take the message and the exit code."""
        super().__init__(message)
        self.code = code


class BadRowsError(NdcgSqlError):
    """Rows of a file that break checks.

    checks are the names of these checks; compared tells whether each row is
    right by itself, and they only do not go together.
    """

    def __init__(self, message: str, checks: frozenset[str], compared: bool) -> None:
        """Take the message and what is wrong with the rows."""
        super().__init__(message)
        self.checks = checks
        self.compared = compared


class LockedError(NdcgSqlError):
    """Another process holds the warehouse file."""


class DiskFullError(NdcgSqlError):
    """A disk has no room for what was to be written."""

"""What the user is told when something cannot be done."""


class NdcgSqlError(Exception):
    """Something that cannot be done; the message says where, what and what to do.

    The message may have several lines: one for each fault, then the remedy.
    Whoever raises it has left the warehouse exactly as it was.
    """


class LockedError(NdcgSqlError):
    """Another process holds the warehouse file."""

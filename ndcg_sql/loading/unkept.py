"""What cannot be said to what loads content among other things, and what can."""

from collections.abc import Collection, Generator
from contextlib import contextmanager
from pathlib import Path

from ndcg_sql.errors import DiskFullError, LockedError, NdcgSqlError
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.system.paths import argument
from ndcg_sql.wording import Call, Text, Use, Wording


def is_of_run(error: NdcgSqlError) -> bool:
    """Return whether a refusal says that judgments look like a run."""
    parts = error.message.parts
    return any(isinstance(part, Call) and part.method == "load_run" for part in parts)


def advised(
    error: NdcgSqlError,
    fields: Collection[str],
    request: type,
    *arguments: object,
    **stated: object,
) -> NdcgSqlError:
    """Return a refusal of content, with a way out that its reader can go.

    Loading refuses, and names fields of its request. Those that are not among fields,
    which the reader can give, are told with the call that takes them; its arguments,
    and what else it is given, are these.
    """
    beyond = {field.name for field in fields_of(request)} - {*fields}

    def spelled(text: Wording) -> Text:
        return Text(
            *(
                Call(method_of(request), arguments, {**stated, **part.fields})
                if isinstance(part, Use) and beyond & part.fields.keys()
                else part
                for part in Text(text).parts
            )
        )

    refusal = error.refusal
    what, remedy = spelled(refusal.what), spelled(refusal.remedy)
    return NdcgSqlError(what, remedy, where=spelled(refusal.where))


@contextmanager
def advising(
    command: type, request: type, options: object, *paths: Path
) -> Generator[None]:
    """Tell what is wrong with files by the calls that load them alone.

    command is the request that has these files loaded among others; options have the
    fields of the request that loads them alone.
    """
    try:
        yield
    except (DiskFullError, LockedError):
        # These are no fault of a file.
        raise
    except NdcgSqlError as error:
        fields = {field.name for field in fields_of(command)}
        said = stated(request, options)
        names = map(argument, paths)
        raise advised(error, fields, request, *names, **said) from None

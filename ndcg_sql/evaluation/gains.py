"""Gain schemes: the gains of grades, under a name that measures can use."""

from collections.abc import Mapping

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import written
from ndcg_sql.measures.names import BUILT_IN_SCHEMES
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import check_name, listed, nearest, number, quoted
from ndcg_sql.wording import Wording, call, joined

Scheme = dict[float, float]


def schemes(database: Database) -> dict[str, Scheme]:
    """Return every named scheme: the gain of each grade that it names."""
    by_name: dict[str, Scheme] = {}
    sql = "select gain_scheme, grade, gain from gains order by all"
    for scheme, grade, gain in database.execute(sql):
        if not scheme.startswith("{"):
            by_name.setdefault(scheme, {})[grade] = gain
    return by_name


def check_scheme(database: Database, scheme: str, where: str = "") -> None:
    """Raise NdcgSqlError, with the nearest names, if there is no such scheme."""
    names = [*BUILT_IN_SCHEMES, *schemes(database)]
    if scheme not in names:
        what = f"no gain scheme {quoted(scheme)}"
        raise NdcgSqlError(what, nearest(scheme, names), where=where)


def add(
    database: Database, messages: Messages, name: str, worth: Mapping[str, str | float]
) -> None:
    """Store a scheme: grades, or labels of grades, and their gains.

    Raises NdcgSqlError if something is wrong with it, or if another scheme has its
    name.
    """
    where = f"gain scheme {quoted(name)}"
    if fault := check_name("gain scheme", name):
        raise NdcgSqlError(fault)
    if name in BUILT_IN_SCHEMES or name[0] == "{" or set(name) & {"'", '"'}:
        raise NdcgSqlError(
            f"{listed(BUILT_IN_SCHEMES)} are built in, and a name cannot contain quotes"
            " or begin with a brace",
            where=where,
        )
    with database.transaction():
        scheme = _scheme(database, worth)
        stored = schemes(database).get(name)
        if stored == scheme:
            messages.tell(f"gain scheme {name} already exists")
            return
        if stored is not None:
            remedy = "remove it with " + call("remove_gains", name)
            what = "already exists with other gains"
            raise NdcgSqlError(what, remedy + ", or choose another name", where=where)
        for grade, gain in scheme.items():
            row = {"scheme": name, "grade": grade, "gain": gain}
            database.execute("insert into gains values ($scheme, $grade, $gain)", row)
    messages.tell(f"added gain scheme {name}")


def _scheme(database: Database, worth: Mapping[str, str | float]) -> Scheme:
    """Return the gain of each grade; refuse all that are malformed."""
    grades: dict[str, list[float]] = {}
    for label, grade in database.run("lookups/label_grades"):
        grades.setdefault(label, []).append(grade)
    scheme: Scheme = {}
    faults: list[Wording] = []
    for text, gain in worth.items():
        value, plain = number(str(gain)), number(text)
        own = grades.get(text, []) if plain is None else [plain]
        if value is None:
            faults.append(f"{text}={gain}: the gain is not a finite number")
        elif not own:
            hint = nearest(text, grades) or "load those first, or write the grade"
            what = "neither a number nor a label of the judgments"
            faults.append(f"{quoted(text)}: {what}; {hint}")
        elif len(own) > 1:
            means = f"means several grades ({', '.join(map(written, own))})"
            faults.append(f"{quoted(text)}: {means}; write the grade")
        elif own[0] < 0:
            what = "a negative grade has no gain: it means not judged"
            faults.append(f"{text}: {what}")
        elif own[0] in scheme:
            faults.append(f"{text}={gain}: grade {written(own[0])} is given twice")
        else:
            # A negative zero becomes a plain one.
            scheme[own[0] + 0] = value + 0
    if faults:
        raise NdcgSqlError(joined(faults, "\n"))
    return scheme


def remove(database: Database, messages: Messages, name: str) -> None:
    """Remove a scheme; raise NdcgSqlError if a registered measure needs it."""
    where = f"gain scheme {quoted(name)}"
    with database.transaction():
        if name in BUILT_IN_SCHEMES:
            raise NdcgSqlError("built in and cannot be removed", where=where)
        check_scheme(database, name)
        sql = "select measure from measures where gains = $name order by rowid"
        users = [measure for (measure,) in database.execute(sql, {"name": name})]
        if users:
            remedy = "remove those first with " + call("remove_measures", *users)
            raise NdcgSqlError(f"used by {listed(users)}", remedy, where=where)
        database.execute("delete from gains where gain_scheme = $name", {"name": name})
    messages.tell(f"removed gain scheme {name}")

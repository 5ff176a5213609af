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
        if stored is not None and stored != scheme:
            remedy = call("remove_gains", name) + ", or choose another name"
            what = "already exists with other gains"
            raise NdcgSqlError(what, "remove it with " + remedy, where=where)
        for grade, gain in scheme.items() if stored is None else ():
            row = {"scheme": name, "grade": grade, "gain": gain}
            database.execute("insert into gains values ($scheme, $grade, $gain)", row)
    state = f"added gain scheme {name}"
    exists = f"gain scheme {name} already exists"
    messages.tell(state if stored is None else exists)


def _scheme(database: Database, worth: Mapping[str, str | float]) -> Scheme:
    """Return the gain of each grade; refuse all that are malformed."""
    scheme: Scheme = {}
    faults: list[Wording] = []
    for text, gain in worth.items():
        value = number(str(gain))
        if value is None:
            faults.append(f"{text}={gain}: the gain is not a finite number")
            continue
        try:
            grade = _grade(database, text)
        except NdcgSqlError as error:
            faults.append(error.message)
            continue
        if grade in scheme:
            faults.append(f"{text}={gain}: grade {written(grade)} is given twice")
        scheme[grade] = value + 0  # A negative zero becomes a plain one.
    if faults:
        raise NdcgSqlError(joined(faults, "\n"))
    return scheme


def _grade(database: Database, text: str) -> float:
    """Return the grade of a number or a label."""
    grade = number(text)
    if grade is None:
        rows = database.run("lookups/label_grades")
        grades: list[float] = [value for label, value in rows if label == text]
        what = "neither a number nor a label of the judgments"
        labels = dict.fromkeys(str(label) for label, _ in rows)
        hint = nearest(text, labels) or "load those first, or write the grade"
        if len(grades) > 1:
            what = f"means several grades ({', '.join(map(written, grades))})"
            hint = "write the grade"
        if len(grades) != 1:
            raise NdcgSqlError(what, hint, where=quoted(text))
        [grade] = grades
    if grade < 0:
        raise NdcgSqlError(f"{text}: a negative grade has no gain: it means not judged")
    return grade + 0


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

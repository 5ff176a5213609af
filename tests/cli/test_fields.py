"""The options of questions."""

from typing import get_args

from ndcg_sql import options
from ndcg_sql.cli.catalogue import COMMANDS
from ndcg_sql.comparison.significance import STATISTICS
from ndcg_sql.fields import documented
from ndcg_sql.measures.systems import systems
from ndcg_sql.wording import Text, call, named, referring, use

DOCSTRING = """Print runs.

    A row is a run: note this.

    limit N: Show only the first N runs, those
        of {dataset}.
    quiet: Print no messages.

    Output:
    output FILE...: Write to this file.

    ndcg-sql runs --limit 1 --output
        FILE
    ndcg-sql runs
    """


def test_a_docstring_has_prose_options_and_examples() -> None:
    found = documented(DOCSTRING, ["limit", "quiet", "output"])
    assert found.prose == "Print runs.\n\nA row is a run: note this."
    assert found.options == {
        "limit": ("", "N", "Show only the first N runs, those of {dataset}."),
        "quiet": ("", "", "Print no messages."),
        "output": ("Output", "FILE...", "Write to this file."),
    }
    assert found.examples == ["ndcg-sql runs --limit 1 --output FILE", "ndcg-sql runs"]


def test_braces_refer_to_fields_and_methods() -> None:
    text = "{limit}, {form=latex} or {measures(systems)} of {{this}}"
    method = call("measures", systems=True)
    parts = (named("limit"), ", ", use(form="latex"), " or ", method, " of ", "{this}")
    assert str(referring(text)) == str(Text(*parts))


def test_every_option_has_a_help_that_names_the_words_to_choose_from() -> None:
    for path, entry in COMMANDS.items():
        assert entry.documentation.prose, path
        assert entry.documentation.examples, path
        for field in entry.options:
            words = () if field.name == "like" else field.words
            missing = [word for word in words if word not in str(field.help)]
            assert field.help, (path, field.name)
            assert missing == [], (path, field.name)


def test_the_tests_of_significance_and_the_systems_are_those_of_the_options() -> None:
    tests = {name[2:] for name in STATISTICS if name.startswith("p_")}
    assert tests == {*get_args(options.TestName), "adjusted"}
    assert get_args(options.System) == (*systems(),)

"""The commands by what they are for, as the help of ndcg-sql shows them."""

from typing import Any

from typer.core import TyperGroup

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import nearest, quoted

# Each command is in the catalogue, or has a module of its name.
SECTIONS = {
    "Load": ("load", "fuse", "demo"),
    "Look": (
        *("report", "eval", "explain", "history", "overlap", "describe", "list"),
        *("plot", "query", "schema", "measures", "gains", "trec_eval"),
    ),
    "Decide": ("leaderboard", "compare", "gate", "changes"),
    "Judge": ("holes", "pool", "adjudicate", "agreement"),
    "Keep": (
        *("rename", "tag", "evaluate", "remove", "backup", "check"),
        *("export", "publish", "emit", "completion"),
    ),
}
COMMANDS = tuple(name for names in SECTIONS.values() for name in names)
# Words of other programs for a command.
_OTHER_WORDS = {"delete": "remove", "rm": "remove"}
# The share of letters that a command has of one that may be meant.
_ALIKE = 0.6
_FIRST = (
    ("ndcg-sql demo", "Try everything on bundled data."),
    ("ndcg-sql load judgments qrels.txt", "Load relevance judgments."),
    ("ndcg-sql load run first.run", "Load a ranking."),
    ("ndcg-sql report", "Print the values of its measures."),
    ("ndcg-sql eval qrels.txt first.run", "All of that at once, storing nothing."),
)


class Group(TyperGroup):
    """A group of commands that knows what a misspelt one was meant to be."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names, and the rest."""
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        names = self.list_commands(ctx)
        other = _OTHER_WORDS.get(name)
        hint = nearest(name, names, _ALIKE)
        if other in names:
            hint = f"did you mean {quoted(other)}?"
        raise NdcgSqlError(
            f"{ctx.command_path}: no command {quoted(name)}{hint and '; '}{hint}"
            f"\nsee {ctx.command_path} --help"
        )


class Sections(Group):
    """A group of commands whose help begins with the first commands to run.

    A command of two words stands beside the one of its first word.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first one or two arguments name, and the rest."""
        both = " ".join(args[:2])
        if both in COMMANDS and len(args) > 1:
            return super().resolve_command(ctx, [both, *args[2:]])
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the first commands to run, then all by section, then the options."""
        with formatter.section("Start with"):
            formatter.write_dl(_FIRST, col_max=40)
        self.format_commands(ctx, formatter)
        options = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([option for option in options if option])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a line for each command, section by section."""
        width = max(map(len, COMMANDS))
        for title, names in SECTIONS.items():
            lines: list[tuple[str, str]] = []
            for name in names:
                command: Any = self.get_command(ctx, name)
                summary = command.get_short_help_str(formatter.width - width - 6)
                lines.append((name.ljust(width), summary))
            with formatter.section(title):
                formatter.write_dl(lines)

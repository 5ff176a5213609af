"""What every command does alike: refuse repeated options, write its help."""

import re
from typing import Any

from typer.core import TyperCommand

# A comment of SQL: two hyphens, and then a blank or the end of a line, as no option.
_COMMENT = re.compile(r"--[^=\s]*\s|--.*\n")


class Command(TyperCommand):
    """A command that refuses a repeated option unless it may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; fail where the last of several values would win."""
        if any(parameter.name == "sql" for parameter in self.params):
            # A select that begins with a blank is not taken for an option.
            args = [f" {one}" if _COMMENT.match(one) else one for one in args]
        parser: Any = self.make_parser(ctx)
        try:
            order: list[Any] = parser.parse_args(args=list(args))[2]
        except Exception as error:
            # typer's errors have no public type; the message tells whose help to read.
            if getattr(error, "ctx", ctx) is None:
                setattr(error, "ctx", ctx)  # noqa: B010
            raise
        for option in order:
            # An argument of several values is listed once.
            once = order.count(option) == 1 or option.multiple or option.is_flag
            if not once:
                ctx.fail(f"{option.opts[0]} is given twice")
        missing = [
            option.opts[0]
            for option in self.get_params(ctx)
            if option.param_type_name == "option" and option.required
            if option not in order
        ]
        is_asked = ctx.resilient_parsing or any(option.is_eager for option in order)
        if len(missing) > 1 and not is_asked:
            ctx.fail(f"Missing options {', '.join(missing)}")
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the formats of files where it names them."""
        options: list[Any] = [*self.params]
        for option in options:
            if option.name == "format_in":
                from ndcg_sql.reading.detection import formats

                option.help = option.help.format(formats=", ".join(formats()))
        super().format_help(ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the command: [OPTIONS], and arguments as one types them.

        An argument that may be omitted is in brackets.
        """
        arguments = [p for p in self.get_params(ctx) if p.param_type_name == "argument"]
        return [
            "[OPTIONS]",
            *(_word(one) if one.required else f"[{_word(one)}]" for one in arguments),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options by group, without types of Python."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        parameters: list[Any] = [*self.get_params(ctx)]
        for parameter in parameters:
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            # typer puts a default that is told in words in parentheses.
            text = re.sub(r"default: \((.+)\)\]$", r"default: \1]", record[1])
            if parameter.param_type_name == "argument":
                groups["Arguments"].append((_word(parameter), text))
            else:
                title = parameter.rich_help_panel or "Options"
                groups.setdefault(title, []).append((record[0], text))
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the examples as they are, without breaking their lines."""
        lines = (self.epilog or "").splitlines()
        title = "Examples" if len(lines) > 1 else "Example"
        if lines:
            formatter.write(f"\n{title}:\n" + "".join(f"  {line}\n" for line in lines))


def _word(argument: Any) -> str:
    word: str = argument.metavar or argument.human_readable_name
    return word.strip("[]")

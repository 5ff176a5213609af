"""What every command does alike: refuse repeated options, write its help."""

from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command that refuses a repeated option unless it may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; fail where the last of several values would win."""
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
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the formats of files where it names them."""
        options: list[Any] = [*self.params]
        for option in options:
            if option.name == "format_in":
                from ndcg_sql.reading.detection import formats

                option.help = option.help.format(formats=", ".join(formats()))
        super().format_help(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the example as it is, without breaking its line."""
        if self.epilog:
            formatter.write(f"\nExample:\n  {self.epilog}\n")

"""RecBole's atomic files: TSV with a type behind each name of the header."""

import re

from ndcg_sql.reading.format import FORM, NO, Sample
from ndcg_sql.reading.formats.delimited import Delimited

_TYPED = re.compile(r"(.+):(?:token|float)(?:_seq)?")


class RecBole(Delimited):
    """Interactions are judgments; a file of users can be loaded as queries."""

    name = "recbole"
    help = "a header such as user_id:token item_id:token rating:float, tabs"
    suffixes = ("inter",)
    delimiters = "\t"

    def sniff(self, sample: Sample) -> int:
        """Detect by a header in which every column has a type."""
        header = sample.first_line.split("\t")
        return FORM if all(map(_TYPED.fullmatch, header)) else NO

    def _names(self, header: list[str]) -> list[str]:
        typed = [_TYPED.fullmatch(name) for name in header]
        return [
            match[1] if match else name
            for name, match in zip(header, typed, strict=True)
        ]


FORMATS = (RecBole(),)

"""Values of measures as trec_eval and ir_measures print them: a line each."""

from collections.abc import Mapping
from contextlib import suppress

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import parse
from ndcg_sql.reading.format import FORM, NO, Format, Sample
from ndcg_sql.reading.layouts import Layout, ReadRequest, blank_separated
from ndcg_sql.reading.lines import first_line, without_comments
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import number
from ndcg_sql.wording import Blank, call

_BY_TREC_EVAL = {"measure": 1, "query_id": 2, "value": 3}
_BY_IR_MEASURES = {"query_id": 1, "measure": 2, "value": 3}
# The fields by their number; of three, either tool may have printed them.
_FIELDS: Mapping[int, Mapping[str, int]] = {
    3: _BY_TREC_EVAL,
    4: {"run": 1, "query_id": 2, "measure": 3, "value": 4},
}


class PrintedValues(Format):
    """A value on each line, between blanks: without a header."""

    name = "values"
    help = "measure query value (trec_eval -q); query measure value; run in front"

    def sniff(self, sample: Sample) -> int:
        """Detect by a number at the end of three or four fields."""
        fields = sample.first_line.split()
        is_printed = (
            sample.request.kind == "values"
            and not sample.request.named
            and len(fields) in _FIELDS
            and number(fields[-1]) is not None
        )
        return FORM if is_printed else NO

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read the fields in the order that the first line shows."""
        if request.kind != "values":
            way = call("load_values", Blank("FILE"))
            raise NdcgSqlError(f"{source.shown}: values", "load them with " + way)
        fields = first_line(source)[1].split()
        places = _FIELDS.get(len(fields), _BY_TREC_EVAL)
        if len(places) == len(_BY_IR_MEASURES) and not _is_measure(fields[0]):
            if not _is_measure(fields[1]):
                raise NdcgSqlError(
                    f"{source.shown}: neither {fields[0]} nor {fields[1]} is a measure"
                    " that ndcg-sql knows, so their order is not clear",
                    "put the run in front of each line: run query measure value",
                )
            places = _BY_IR_MEASURES
        count = len(places)
        expected = f"{count} ({' '.join(sorted(places, key=lambda c: places[c]))})"
        source = without_comments(source, count)
        how = blank_separated(source, {**places}, (count, count), expected)
        return how, source


def _is_measure(name: str) -> bool:
    with suppress(NdcgSqlError):
        return bool(parse(name))
    return False


FORMATS = (PrintedValues(),)

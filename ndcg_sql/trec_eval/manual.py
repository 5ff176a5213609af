"""What trec_eval's options and measures mean: the text of -h."""

from ndcg_sql.measures.families import families
from ndcg_sql.trec_eval.arguments import USAGE, Options
from ndcg_sql.trec_eval.catalog import Entry, catalog

_OPTIONS = """\
  -q            print the lines of each query before those of all queries
  -c            average over every judged query; one that the run lacks counts 0
  -n            do not print the lines of all queries
  -m MEASURE    a measure or a set (official, set, all_trec); parameters follow a
                dot, as in P.5,10 or ndcg.1=3,2=9; may be repeated, but the
                first parameters of a measure count
  -l N          the lowest relevant grade, 1 if omitted; gains do not change
  -J            remove unjudged documents from the run first
  -M N          use only the first N documents of each query
  -N N          the number of documents in the collection (utility)
  -R FORM       the form of the judgments: qrels
  -T FORM       the form of the run: trec_results
  -Z FILE       print z-scores, by the means and deviations in the lines of FILE:
                query measure mean deviation; -1000000 if FILE has none
  -D N[.QUERY]  use only this query
  -o            accepted, without effect
  --compat 9    as trec_eval 9.0.8: scores as single floats, recall points rounded
                up, only queries that are both judged and in the run
  -h, -v        print this text (with -m, what the measures mean); the version
"""


def manual(options: Options) -> str:
    """Return the text of -h; with measures named, what they mean."""
    named = [entry for entry in catalog() if entry.name in options.measures]
    meanings = [f"{entry.name}\n    {_meaning(entry)}\n" for entry in named]
    return "\n".join([USAGE.partition("\nsee ")[0], _OPTIONS, *meanings])


def _meaning(entry: Entry) -> str:
    """Return the meaning of a measure: its own, or that of our equivalent."""
    return entry.meaning or families()[entry.ours.partition("(")[0]].description

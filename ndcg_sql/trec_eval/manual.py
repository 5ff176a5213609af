"""What trec_eval's options and measures mean, in our words."""

from ndcg_sql.measures.families import families
from ndcg_sql.trec_eval.arguments import USAGE, Options
from ndcg_sql.trec_eval.catalog import Entry, catalog

_OPTIONS = """\
  -q            the lines of each query before those of all
  -c            the mean over every judged query; one that the run lacks counts 0
  -n            no lines of all queries
  -m MEASURE    a measure or a set (official, set, all_trec, prefs, all_prefs,
                qrels_jg); parameters stand behind a dot, as in P.5,10 or
                ndcg.1=3,2=9; may be repeated, but the parameters of a measure
                count where they stand first
  -l N          the lowest grade that is relevant, 1 if left out; gains keep theirs
  -J            documents that nobody judged are taken out of the run first
  -M N          the first N documents of a query are all of the run
  -N N          how many documents the collection has (utility)
  -R FORM       the form of the judgments, a line each:
                qrels        query 0 document grade
                qrels_jg     query group document grade (several judges)
                prefs        query group subgroup document level
                qrels_prefs  query group document level
                of two documents of a subgroup that with the higher level is
                preferred; of documents judged by several groups, by each
  -T FORM       the form of the run: trec_results
  -Z FILE       values as distances from the mean in deviations, which the lines
                of FILE give: query measure mean deviation; -1000000 where
                they give none
  -D N[.QUERY]  this query alone
  -o            taken, without effect
  --compat 9    as trec_eval 9.0.8: scores as single floats, recall points rounded
                up, queries of the intersection
  -h, -v        this text (with -m, what the measures mean); the version
"""


def manual(options: Options) -> str:
    """Return the text of -h; with measures named, what they mean."""
    named = [entry for entry in catalog() if entry.name in options.measures]
    meanings = [f"{entry.name}\n    {_meaning(entry)}\n" for entry in named]
    return "\n".join([USAGE.partition("\nndcg-sql")[0], _OPTIONS, *meanings])


def _meaning(entry: Entry) -> str:
    """Return what a measure is: as said of it here, or of ours that it is."""
    return entry.meaning or families()[entry.ours.partition("(")[0]].description

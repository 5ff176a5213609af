-- One row is a registered measure with its parameters; a parameter that the
-- measure does not take is null. The values of registered measures are stored:
-- see query_values and run_values.
select
    measures.measure, measures.trec_eval_name, measures.family, measures.summary,
    measures.higher_is_better, measures.lower_is_better, measures.origin,
    measures.reads_judgments, measures.cutoff, measures.level,
    measures.dcg_kind, measures.base, measures.gains, measures.ideal, measures.tie_rule,
    measures.rel, measures.judged_only, measures.known, measures.p, measures.t, measures.alpha,
    measures.beta, measures.min_rel, measures.max_rel, measures.a, measures.b, measures.c,
    measures.d, measures.docs, measures.relative, measures.normalize, measures.norm,
    measures.rounding, measures.tail, measures.by_attribute, measures.no_rel, measures.missing
from store.measures

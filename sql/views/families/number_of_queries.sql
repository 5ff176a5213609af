-- NumQ: the number of judged queries; each counts 1 (trec_eval).
select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    measures.measure,
    evaluated_queries.retrieved,
    1 as value,
    false as nothing_relevant

from evaluated_queries

cross join measures

where measures.family = 'NumQ'

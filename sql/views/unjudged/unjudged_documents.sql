-- One row is an unjudged document of an evaluation: the run returned it for a
-- judged query, but it has no judgment or only a negative grade.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    evaluations.run_id,
    evaluations.judgment_set_id,
    rankings.query_id,
    rankings.doc_id,
    rankings.position

from evaluations

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)

inner join rankings using (run_id)

inner join judged_queries using (judgment_set_id, query_id)

left join hits
    on
        evaluations.run_id = hits.run_id
        and evaluations.judgment_set_id = hits.judgment_set_id
        and rankings.query_id = hits.query_id
        and rankings.position = hits.position
        and hits.grade >= 0

where hits.position is null

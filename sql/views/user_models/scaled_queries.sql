-- One row is a judged query of an evaluation under a measure of scaled grades
-- (see scaled_measures). nothing_relevant is true if no document of the query
-- is judged above min_rel.
with best as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        max(judgments.grade) as grade

    from judgments

    group by
        judgments.judgment_set_id,
        judgments.query_id

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    scaled_measures.measure,
    scaled_measures.family,
    listed_queries.retrieved,
    best.grade < 0 or best.grade <= scaled_measures.min_rel as nothing_relevant

from listed_queries

inner join scaled_measures using (judged_only)

inner join best using (judgment_set_id, query_id)

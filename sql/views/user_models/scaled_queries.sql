-- One row is a judged query of an evaluation under a measure of scaled grades
-- (see scaled_measures). nothing_relevant is true if no document of the query
-- is judged above min_rel.
with best as (

    select
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        listed_judgments.known,
        max(listed_judgments.grade) as grade

    from listed_judgments

    group by
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        listed_judgments.known

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    scaled_measures.measure,
    scaled_measures.family,
    listed_queries.retrieved,
    -- All judged documents of the query may be known.
    coalesce(
        best.grade < 0 or best.grade <= scaled_measures.min_rel,
        true
    ) as nothing_relevant

from listed_queries

inner join scaled_measures using (judged_only, known)

left join best using (judgment_set_id, query_id, known)

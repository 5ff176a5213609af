-- One row is a judged query of an evaluation under a measure of scaled grades
-- (see scaled_measures). nothing_relevant is true if no document of the query
-- is judged above min_rel.
select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    scaled_measures.measure,
    scaled_measures.family,
    listed_queries.retrieved,
    coalesce(
        best_grades.grade < 0 or best_grades.grade <= scaled_measures.min_rel,
        true
    ) as nothing_relevant

from listed_queries

inner join scaled_measures using (judged_only, known)

left join best_grades using (judgment_set_id, query_id, known)

-- One row is the value of a registered measure for a judged query of an
-- evaluation, with the lowest and the highest value that it could have if the
-- unjudged documents that the run returned were judged. Each is assumed to get
-- a grade from 0 to the highest of the judgment set; the ideal ranking, or the
-- number of relevant documents, changes with these grades. The judgments of
-- documents that the run did not return stay the same. Measures for which the
-- bounds cannot be computed are omitted (see best_gains).
select
    runs.dataset,
    value_parts.run,
    judgment_sets.name as judgment_set,
    value_parts.run_id,
    value_parts.judgment_set_id,
    value_parts.query_id,
    value_parts.measure,
    value_parts.value,
    least(
        value_parts.value,
        coalesce(value_floors.floor, value_parts.value)
    ) as floor,
    greatest(
        value_parts.value,
        coalesce(value_ceilings.ceiling, value_parts.value)
    ) as ceiling

from value_parts

left join value_floors using (run_id, run, judgment_set_id, query_id, measure)

left join value_ceilings using (run_id, run, judgment_set_id, query_id, measure)

inner join runs
    on
        value_parts.run_id = runs.run_id
        and value_parts.run = runs.name

inner join judgment_sets using (judgment_set_id)

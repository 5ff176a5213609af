-- One row is the share of judged documents among the first k that a run returned,
-- where k is the cutoff of a registered measure, or 10 if it has none: the mean over
-- all queries, as stored, or over a slice of them.
select
    stored_run_values.run_id, stored_run_values.judgment_set_id, stored_run_values.measure,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice,
    stored_run_values.judged_at_k
from stored_run_values
union all
select
    group_answers.run_id, group_answers.judgment_set_id, measures.measure, group_answers.attribute,
    group_answers.slice, group_answers.judged_at_k
from group_answers
inner join measures
    on group_answers.depth = judged_depth(measures.cutoff)
where group_answers.attribute is not null

-- One row is the value of a registered measure for a group of the judged queries of
-- an evaluation (see query_groups), if it is one of the run as a whole and fits the
-- judgment set (see fitting_measures): it depends on all that the run shows to these
-- queries, and no query has a value.
select
    shown_spread.run_id,
    runs.name as run,
    shown_spread.judgment_set_id, shown_spread.attribute, shown_spread.slice, measure, value,
    null::double as weighted_value,
    n,
    0 as weighted_n,
    shown_spread.answered, shown_spread.unanswered,
    0 as no_relevant,
    judged_at_k,
    null::double as standard_error
from shown_spread
inner join fitting_measures using (judgment_set_id, measure)
inner join measures using (measure)
inner join runs using (run_id)
inner join group_answers
    on
        shown_spread.run_id = group_answers.run_id
        and runs.name = group_answers.run
        and shown_spread.judgment_set_id = group_answers.judgment_set_id
        and shown_spread.attribute is not distinct from group_answers.attribute
        and shown_spread.slice is not distinct from group_answers.slice
        and judged_depth(cutoff) = depth

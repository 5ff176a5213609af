-- One row is a document that gains something, at its position in a run's list. found counts these
-- down to it.
select
    run_id, judgment_set_id, query_id, basis, gain_scheme, position, gain, judged, pooled,
    row_number() over (
        partition by run_id, judgment_set_id, query_id, basis order by position
    ) as found
from lists
inner join bases using (known, judged_only)
inner join grade_gains using (judgment_set_id, grade, basis)
where gain <> 0 and tie_rule is null

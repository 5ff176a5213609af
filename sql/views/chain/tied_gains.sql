-- One row is a position among documents with equal scores: ties = 'mean' gives each of a group of
-- documents with equal scores the mean gain of the group (McSherry & Najork 2008).
with tied_groups as (
    select
        run_id, judgment_set_id, query_id, basis, tie_first, tie_last,
        sum_in_order(gain, position) as total
    from lists
    inner join bases using (known, judged_only)
    inner join grade_gains using (judgment_set_id, grade, basis)
    where tie_rule = 'mean'
    group by all
)

select
    run_id, judgment_set_id, query_id, basis, position,
    total / (tie_last - tie_first + 1) as gain
from tied_groups
inner join positions on position between tie_first and tie_last
where total <> 0

-- The counts of a judgment set.
select
    judgment_sets.query_count,
    judgment_sets.judgment_count

from judgment_sets

where judgment_sets.judgment_set_id = $id

-- The number of judgments that differ between a set and another, by kind of
-- change, and the number of queries with a change.
select
    count(case when judgment_changes.change = 'added' then 1 end) as added,
    count(case when judgment_changes.change = 'removed' then 1 end) as removed,
    count(case when judgment_changes.change = 'regraded' then 1 end)
        as regraded,
    count(distinct judgment_changes.query_id) as queries

from judgment_changes

where
    judgment_changes.judgment_set_id = $judgment_set_id
    and judgment_changes.other_judgment_set_id = $other_judgment_set_id

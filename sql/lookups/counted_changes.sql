-- The number of judgments that differ between a set and another, by kind of
-- change, and the number of queries with a change.
select
    count(*) filter (change = 'added') as added,
    count(*) filter (change = 'removed') as removed,
    count(*) filter (change = 'regraded') as regraded,
    count(distinct query_id) as queries
from judgment_changes
where
    judgment_set_id = $judgment_set_id
    and other_judgment_set_id = $other_judgment_set_id

-- One row is the value of a registered measure for a query of a run that was
-- evaluated with two judgment sets: the value under one set next to the value
-- under the other. A query that only one of the sets judges has no value under
-- the other.
with pairs as (
    select
        run_id,
        evaluations.judgment_set_id,
        others.judgment_set_id as other_judgment_set_id
    from evaluations
    inner join evaluations as others using (run_id)
    where evaluations.judgment_set_id <> others.judgment_set_id
),

-- A filter by set reaches both sides, which it would not in a full join.
both_sides as (
    select
        pairs.*, measure, query_id,
        value as own,
        cast(null as double) as other
    from pairs
    inner join stored_values using (run_id, judgment_set_id)
    union all
    select
        pairs.*, measure, query_id,
        null as own,
        value as other
    from pairs
    inner join stored_values
        on
            pairs.run_id = stored_values.run_id
            and pairs.other_judgment_set_id = stored_values.judgment_set_id
)

select
    run_id, judgment_set_id, other_judgment_set_id, measure, query_id,
    max(other) as other_value,
    max(own) as value,
    max(own) - max(other) as difference
from both_sides
group by all

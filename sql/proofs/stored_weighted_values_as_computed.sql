-- run {run}, judgment set {judgment_set}: table stored_weighted_values differs from
-- the weighted means of stored_values in {row_count} rows; remove the run, and load
-- it again
with weights as (

    select
        runs.run_id,
        queries.query_id,
        queries.weight

    from queries

    inner join runs using (dataset)

    where queries.weight is not null

),

-- Not the rows of the view summarized_values: a fault of that view would be
-- on both sides.
means as (

    select
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.measure,
        sum(weights.weight * stored_values.value order by weights.query_id)
        / nullif(sum(weights.weight order by weights.query_id), 0)
            as weighted_value,
        count(stored_values.value) as weighted_n

    from weights

    inner join stored_values using (run_id, query_id)

    where
        stored_values.value is not null
        and stored_values.measure in (
            select measures.measure
            from measures
            where measures.summary = 'mean'
        )

    group by
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.measure

),

compared as (

    select
        stored_weighted_values.*,
        1 as side

    from stored_weighted_values

    union all by name

    select
        means.*,
        -1 as side

    from means

),

differing as (

    select compared.* exclude (side)  -- noqa: RF03

    from compared

    group by all

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    differing.judgment_set_id,
    count(*) as row_count

from differing

group by
    differing.run_id,
    differing.judgment_set_id

order by
    differing.run_id,
    differing.judgment_set_id

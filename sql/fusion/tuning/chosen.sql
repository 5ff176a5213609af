-- One row is a part of the queries, or 0 for none, with the fusion that has the
-- highest mean for the queries of all other parts. Means are equal if they agree
-- to nine decimals; of several, the first fusion is chosen.
with means as (

    select
        left_out.part,
        stored_values.run_id,
        sum(stored_values.value order by stored_values.query_id)
        / count(stored_values.value) as value,
        count(stored_values.value) as n

    from unnest($parts) as left_out (part)

    cross join stored_values

    inner join tuned_queries
        on
            stored_values.query_id = tuned_queries.query_id
            and left_out.part <> tuned_queries.part

    where stored_values.value is not null

    group by
        left_out.part,
        stored_values.run_id

)

select
    means.part,
    means.run_id,
    means.value,
    means.n

from means

qualify
    row_number()
        over (
            partition by means.part
            order by
                round(means.value, 9) desc,
                means.run_id
        )
    = 1

order by means.part

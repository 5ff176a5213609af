-- The mean over the queries of some parts, each by the fusion that was chosen
-- where its part was left out.
with chosen as (

    select
        unnest($parts) as part,
        unnest($run_ids) as run_id

)

select
    sum(stored_values.value order by stored_values.query_id)
    / nullif(count(stored_values.value), 0) as value,
    count(stored_values.value) as n

from stored_values

inner join tuned_queries using (query_id)

inner join chosen using (part, run_id)

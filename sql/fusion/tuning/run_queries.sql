-- How many documents each fusion shows for a query: the same for all.
insert into run_queries by name
with shown as (

    select
        tuned_documents.query_number,
        count(*) as retrieved

    from tuned_documents

    group by tuned_documents.query_number

)

select
    fusions.run_id,
    tuned_queries.query_id,
    least(shown.retrieved, coalesce($depth, shown.retrieved)) as retrieved

from shown

inner join tuned_queries using (query_number)

cross join range(1, $count + 1) as fusions (run_id)

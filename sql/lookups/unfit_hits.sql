-- A row that another engine found and that cannot be, with the reason, and how
-- many there are. The table of positions has a row for each position.
with counted_queries as (
    select
        staged_run_queries.run, staged_run_queries.query_id, staged_run_queries.retrieved,
        count(*) over (partition by staged_run_queries.run, staged_run_queries.query_id) as times
    from staged_run_queries
),

counted_hits as (
    select
        staged_hits.run, staged_hits.query_id, staged_hits.doc_id, staged_hits.position,
        staged_hits.tie_first, staged_hits.tie_last,
        count(*) over (
            partition by staged_hits.run, staged_hits.query_id, staged_hits.doc_id
        ) as times,
        count(*) over (
            partition by staged_hits.run, staged_hits.query_id, staged_hits.position
        ) as times_of_position
    from staged_hits
),

compared as (
    select
        counted_queries.run, counted_queries.query_id,
        null as doc_id,
        case
            when counted_queries.run is null or counted_queries.query_id is null
                then 'a name or id is null'
            when
                counted_queries.query_id = ''
                or contains(counted_queries.query_id, chr(0))
                then 'the query id is empty, or has a NUL'
            when counted_queries.times > 1 then 'the query is there twice'
            when
                not coalesce(counted_queries.retrieved between 1 and 10000000, false)
                then 'there are not 1 to 10000000 documents'
        end as fault
    from counted_queries
    union all
    select
        counted_hits.run, counted_hits.query_id, counted_hits.doc_id,
        case
            when
                counted_hits.run is null
                or counted_hits.query_id is null
                or counted_hits.doc_id is null
                then 'a name or id is null'
            when counted_queries.retrieved is null then 'the run did not answer the query'
            when counted_hits.times > 1 then 'the document is there twice'
            when counted_hits.times_of_position > 1 then 'its position is there twice'
            when
                coalesce(
                    counted_hits.tie_first < 1
                    or counted_hits.position < counted_hits.tie_first
                    or counted_hits.position > counted_hits.tie_last
                    or counted_hits.tie_last > counted_queries.retrieved,
                    true
                )
                then 'its position is not possible'
            when judgments.grade is null then 'it is not judged'
        end as fault
    from counted_hits
    left join counted_queries using (run, query_id)
    left join judgments
        on
            judgments.judgment_set_id = $judgment_set_id
            and counted_hits.query_id = judgments.query_id
            and counted_hits.doc_id = judgments.doc_id
)

select
    compared.run, compared.query_id, compared.doc_id, compared.fault,
    count(*) over () as fault_count
from compared
where compared.fault is not null
order by compared.doc_id nulls first, compared.run, compared.query_id
limit 1

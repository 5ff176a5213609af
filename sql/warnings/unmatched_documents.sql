-- Of the queries of the relation ranked: the documents that are judged but were not
-- returned, and those that were returned but are not judged.
with looked_at as materialized (
    select
        ranked.run_id, ranked.query_id, ranked.doc_id
    from ranked
),

judged as (
    select
        judgments.query_id, judgments.doc_id
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
),

missed as materialized (
    select
        looked_at.run_id, judged.query_id, judged.doc_id
    from (
        select distinct
            looked_at.run_id, looked_at.query_id
        from looked_at
    ) as looked_at
    inner join judged using (query_id)
    anti join hits
        on
            looked_at.run_id = hits.run_id
            and judged.query_id = hits.query_id
            and judged.doc_id = hits.doc_id
            and hits.judgment_set_id = $judgment_set_id
)

select
    missed.run_id, missed.query_id,
    missed.doc_id as id,
    true as is_judged
from missed
union all
select
    looked_at.run_id, looked_at.query_id,
    looked_at.doc_id as id,
    false as is_judged
from looked_at
semi join missed using (run_id, query_id)
anti join judged using (query_id, doc_id)

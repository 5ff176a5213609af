-- Whether documents of a run are judged queries, and its queries judged documents.
with judged as (
    from judgments
    where judgment_set_id = $judgment_set_id
),

answered as (
    from run_queries
    where run_id = $run_id
)

select
    exists (from ranked semi join judged on ranked.doc_id = judged.query_id)
    and exists (from answered semi join judged on answered.query_id = judged.doc_id) as is_swapped

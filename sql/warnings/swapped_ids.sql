-- Whether documents of a run are judged queries, and its queries judged documents.
select
    exists (
        select 1
        from ranked
        inner join judgments
            on ranked.doc_id = judgments.query_id
        where judgments.judgment_set_id = $judgment_set_id
    )
    and exists (
        select 1
        from run_queries
        inner join judgments
            on run_queries.query_id = judgments.doc_id
        where run_queries.run_id = $run_id and judgments.judgment_set_id = $judgment_set_id
    ) as is_swapped

-- One row is a document that at least one of two runs has within the cutoff: its position in each
-- run, and what it adds to the value of the query there, null beyond the cutoff (steps: see
-- ndcg_steps). Without an ideal DCG, no document has a gain above 0.
select
    moved.doc_id, title, grade, rankings.position,
    other_rankings.position as against_position,
    share, against_share,
    coalesce(share, 0) - coalesce(against_share, 0) as difference
from (
    select
        doc_id,
        max(grade) as grade,
        max(share) filter (run_id = $run_id) as share,
        max(share) filter (run_id = $other_run_id) as against_share
    from (
        select
            *,
            discounted_gain / if(
                $normalized,
                coalesce(nullif(max(ideal_dcg) over (partition by run_id), 0), 1),
                1
            ) as share
        from steps
    ) as shares
    where doc_id is not null
    group by doc_id
) as moved
left join rankings
    on
        rankings.run_id = $run_id
        and rankings.query_id = $query_id
        and moved.doc_id = rankings.doc_id
left join rankings as other_rankings
    on
        other_rankings.run_id = $other_run_id
        and other_rankings.query_id = $query_id
        and moved.doc_id = other_rankings.doc_id
left join documents
    on documents.dataset = $dataset and moved.doc_id = documents.doc_id
order by rankings.position nulls last, other_rankings.position, moved.doc_id

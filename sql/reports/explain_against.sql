-- One row is a document that at least one of two runs has within the cutoff:
-- its position in each run, and what it adds to the value of the query there,
-- null beyond the cutoff.
with steps as (

    select
        ndcg_steps.run_id,
        ndcg_steps.doc_id,
        ndcg_steps.grade,
        ndcg_steps.discounted_gain,
        max(ndcg_steps.ideal_dcg) over (
            partition by ndcg_steps.run_id
        ) as ideal_dcg

    from ndcg_steps

    where
        ndcg_steps.run_id in ($run_id, $other_run_id)
        and ndcg_steps.judgment_set_id = $judgment_set_id
        and ndcg_steps.query_id = $query_id
        and ndcg_steps.measure = $measure

),

-- What a document adds to the value in each run.
shares as (

    select
        steps.run_id,
        steps.doc_id,
        steps.grade,
        case
            when $normalized
                then
                    steps.discounted_gain
                    -- Without an ideal DCG, no document has a gain above 0.
                    / case
                        when steps.ideal_dcg = 0 then 1 else steps.ideal_dcg
                    end
            else steps.discounted_gain
        end as share

    from steps

    where steps.doc_id is not null

),

moved as (

    select
        shares.doc_id,
        max(shares.grade) as grade,
        max(case when shares.run_id = $run_id then shares.share end) as share,
        max(case when shares.run_id = $other_run_id then shares.share end)
            as against_share

    from shares

    group by shares.doc_id

)

select
    moved.doc_id,
    documents.title,
    moved.grade,
    rankings.position,
    other_rankings.position as against_position,
    moved.share,
    moved.against_share,
    coalesce(moved.share, 0)
    - coalesce(moved.against_share, 0) as difference

from moved

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
    on
        documents.dataset = $dataset
        and moved.doc_id = documents.doc_id

order by
    rankings.position nulls last,
    other_rankings.position,
    moved.doc_id

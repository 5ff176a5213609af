-- gain_steps: a position of a run's list under a measure of gains, with its document, judged or
-- not, and of the ideal list. Runs whose rankings are elsewhere have no rows.
with gain_settings as (
    select *
    from settings
    where dcg_kind is not null
),

listed_documents as (
    select
        run_id, judgment_set_id, query_id, measure, basis, base, discount_kind, doc_id, position
    from evaluated_queries
    inner join listed_rankings using (run_id, query_id)
    inner join gain_settings using (known)
    where not judged_only and position <= depth
    union all
    select
        run_id, judgment_set_id, query_id, measure, basis, base, discount_kind, doc_id, position
    from lists
    inner join gain_settings using (known, judged_only)
    where judged_only and position <= depth
),

own as (
    select
        listed_documents.*,
        coalesce(gain, 0) as gain
    from listed_documents
    left join
        (select * exclude (doc_id), list_id as run_id from gain_places where side = 'run') as gained
        using (run_id, judgment_set_id, query_id, basis, position)
),

best as (
    select
        run_id, judgment_set_id, query_id, measure, base, discount_kind, position,
        doc_id as ideal_doc_id,
        gain as ideal_gain
    from evaluated_queries
    inner join gain_places using (judgment_set_id, query_id)
    inner join gain_settings using (basis)
    where side = 'ideal' and list_id in (0, run_id) and position <= ideal_depth
)

select
    run_id, judgment_set_id, query_id, measure, position, doc_id, gain, ideal_doc_id, ideal_gain,
    case
        when discount_kind = 'log2' then log2(position + 1) / log2(base)
        when position < base then 1
        else log2(position) / log2(base)
    end as discount
from own
full join best
    using (run_id, judgment_set_id, query_id, measure, base, discount_kind, position)
where run_id not in (select run_id from external_evaluations)

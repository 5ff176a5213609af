-- One row is a position of a run's list under a measure of gains, with its document, judged or not,
-- and of the ideal list. A filter by the name of a run reaches the rankings.
with gain_settings as (
    select *
    from settings
    where dcg_kind is not null
),

own_queries as (
    select
        run_id, judgment_set_id, query_id,
        runs.name as run
    from evaluated_queries
    inner join runs using (run_id)
),

listed_documents as (
    select run_id, run, judgment_set_id, query_id, measure, doc_id, position
    from own_queries
    inner join listed_rankings using (run_id, query_id)
    inner join gain_settings using (known)
    where not judged_only and position <= depth
    union all
    select run_id, run, judgment_set_id, query_id, measure, doc_id, position
    from own_queries
    inner join lists using (run_id, judgment_set_id, query_id)
    inner join gain_settings using (known, judged_only)
    where judged_only and position <= depth
),

steps as (
    select
        run_id, run, judgment_set_id, query_id, measure, discount_kind, base, position,
        listed_documents.doc_id,
        coalesce(if(tie_rule is null, grade_gains.gain, tied_gains.gain), 0) as gain,
        null as ideal_doc_id,
        null as ideal_gain
    from listed_documents
    inner join gain_settings using (measure)
    left join (select * exclude (position) from hits) as judged_hits
        using (run_id, judgment_set_id, query_id, doc_id)
    left join grade_gains using (judgment_set_id, grade, basis)
    left join tied_gains using (run_id, judgment_set_id, query_id, basis, position)
    union all
    select
        run_id, run, judgment_set_id, query_id, measure, discount_kind, base, position,
        null as doc_id,
        null as gain,
        doc_id as ideal_doc_id,
        gain as ideal_gain
    from own_queries
    inner join ideals using (judgment_set_id, query_id)
    inner join gain_settings using (basis)
    where list_id in (0, run_id) and position <= ideal_depth
)

select
    run_id, run, judgment_set_id, query_id, measure, position,
    max(doc_id) as doc_id,
    max(gain) as gain,
    max(ideal_doc_id) as ideal_doc_id,
    max(ideal_gain) as ideal_gain,
    discount_at(position, discount_kind, base) as discount
from steps
group by run_id, run, judgment_set_id, query_id, measure, position, discount_kind, base

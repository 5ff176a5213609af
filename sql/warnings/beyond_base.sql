-- The queries, and the documents, of staged judgments that neither the judgments of
-- the base nor a run of the dataset has: how many, and the first in the file. No row
-- without runs.
with added as (
    select
        staged.query_id, staged.doc_id, staged.line_number
    from staged
    anti join base_judgments using (query_id, doc_id)
),

runs_of_dataset as (
    select runs.run_id
    from runs
    where runs.dataset = $dataset and runs.query_count > 0
),

answered as (
    select run_queries.query_id
    from run_queries
    semi join runs_of_dataset using (run_id)
),

returned as (
    select rankings.doc_id
    from rankings
    semi join runs_of_dataset using (run_id)
),

new_hits as (
    select
        hits.query_id, hits.doc_id
    from hits
    where hits.judgment_set_id = $judgment_set_id
),

unknown as (
    select
        'query' as kind,
        added.query_id as id,
        added.line_number
    from added
    anti join base_judgments using (query_id)
    anti join answered using (query_id)
    union all
    select
        'document' as kind,
        added.doc_id as id,
        added.line_number
    from added
    anti join base_judgments using (doc_id)
    -- Few are left to be looked for among all that runs returned.
    anti join new_hits using (query_id, doc_id)
    anti join returned using (doc_id)
),

firsts as (
    select
        unknown.kind, unknown.id,
        min(unknown.line_number) as first_line
    from unknown
    group by all
)

select
    firsts.kind,
    count(*) as id_count,
    list(firsts.id order by firsts.first_line)[1:5] as first_ids
from firsts
where exists (from runs_of_dataset)
group by firsts.kind
order by firsts.kind desc

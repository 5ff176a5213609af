-- One row is a number of times that a run shows documents to a group of judged queries (see
-- query_groups), down to a depth that some measure of runs has; how many documents it shows so
-- often, and how many of these are outside the catalogue, the dataset's table of documents.
with depths as (
    select distinct basis, known, depth
    from settings
    where summary = 'none'
),

shown as (
    select
        run_id, judgment_set_id, attribute, slice, basis, depth, doc_id,
        count(*) as times
    from listed_rankings
    inner join depths using (known)
    inner join query_groups using (query_id)
    inner join evaluations using (run_id, judgment_set_id)
    where position <= depth and is_judged
    group by all
)

select
    run_id, judgment_set_id, attribute, slice, basis, depth, times,
    count(*) as distinct_documents,
    count(*) filter (documents.doc_id is null) as outside
from shown
inner join runs using (run_id)
left join documents using (dataset, doc_id)
group by all

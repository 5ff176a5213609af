-- One row is a document among the first 10 that a run returned for a query, with
-- its position in the previous run of the dataset in time, so that one relation
-- has what a query showed before and after. The judgment set is the newest that
-- the run is evaluated with; judgment_set, grade and gain are null without one.
-- grade is null if nobody judged the document. The gain is that of nDCG@10: the
-- grade, but 0 if it is negative or null. Runs that another engine evaluated
-- (see engine in evaluations) have no rows. Filter by run: positions are looked
-- up for each answer.
with newest as (
    select
        evaluations.run_id,
        max(evaluations.judgment_set_id) as judgment_set_id
    from store.evaluations
    group by evaluations.run_id
)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    rankings.query_id, rankings.position, rankings.doc_id, documents.title, hits.grade,
    case
        when newest.judgment_set_id is not null then greatest(coalesce(hits.grade, 0), 0)
    end as gain,
    previous_runs.previous_run,
    before_rankings.position as previous_position,
    rankings.run_id, newest.judgment_set_id, previous_runs.previous_run_id
from store.rankings
inner join store.runs using (run_id)
inner join store.previous_runs using (run_id)
left join newest using (run_id)
left join store.judgment_sets using (judgment_set_id)
left join store.hits
    on
        rankings.run_id = hits.run_id
        and newest.judgment_set_id = hits.judgment_set_id
        and rankings.query_id = hits.query_id
        and rankings.position = hits.position
left join store.documents
    on runs.dataset = documents.dataset and rankings.doc_id = documents.doc_id
left join store.rankings as before_rankings
    on
        previous_runs.previous_run_id = before_rankings.run_id
        and rankings.query_id = before_rankings.query_id
        and rankings.doc_id = before_rankings.doc_id
where rankings.position <= 10

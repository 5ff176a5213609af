-- One row is a run: what was loaded, how deep it is, how many of its scores are
-- tied, how much of it a judgment set covers, and how much its queries know.
with depths as (
    select
        min(retrieved) as least_documents,
        median(retrieved) as median_documents,
        max(retrieved) as most_documents
    from run_queries
    where run_id = $run_id
),

-- Under given positions nothing is tied.
scores as (
    select
        query_id,
        count(*) as documents
    from rankings
    inner join runs using (run_id)
    where run_id = $run_id and position_rule <> 'given'
    group by query_id, if(position_rule = 'score32', cast(cast(score as float) as double), score)
    having count(*) > 1
),

ties as (
    select
        coalesce(sum(documents), 0) as tied_documents,
        count(distinct query_id) as tied_queries
    from scores
),

-- A run may have only values that another program computed.
is_here as (
    select query_count > 0 as is_here
    from runs
    where run_id = $run_id
),

tags as (
    select list(tag || '=' || tag_value order by tag) as tags
    from run_tags
    where run_id = $run_id
),

-- Judged documents, of all that the run shows for judged queries.
coverage as (
    select
        avg(if(grade >= 0, 1, 0)) filter (position <= 10) as judged_share_at_10,
        avg(if(grade >= 0, 1, 0)) as judged_share
    from rankings
    inner join judged_queries using (query_id)
    left join judgments using (judgment_set_id, query_id, doc_id)
    where run_id = $run_id and judgment_set_id = $judgment_set_id
),

-- Known documents, of all that the run shows, if any are known in its dataset.
known_shares as (
    select
        avg(if(known_documents.doc_id is null, 0, 1)) filter (position <= 10) as known_share_at_10,
        avg(if(known_documents.doc_id is null, 0, 1)) as known_share
    from rankings
    inner join runs using (run_id)
    left join known_documents using (dataset, query_id, doc_id)
    where run_id = $run_id and dataset in (select known.dataset from known_documents as known)
)

select
    runs.name as run,
    runs.dataset, run_id, runs.source, runs.content_hash, run_at, runs.loaded_at, tags,
    position_rule,
    runs.query_count as queries,
    document_count as documents,
    depths.*,
    if(is_here, tied_documents, null) as tied_documents,
    if(is_here, tied_queries, null) as tied_queries,
    judgment_sets.name as judgment_set,
    answered, unanswered, unjudged_queries, judged_share_at_10, judged_share,
    known_shares.*
from runs
cross join depths
cross join ties
cross join is_here
cross join tags
cross join known_shares
left join judgment_sets on judgment_sets.judgment_set_id = $judgment_set_id
left join computed_evaluations using (run_id, judgment_set_id)
left join coverage on judgment_sets.judgment_set_id is not null
where run_id = $run_id

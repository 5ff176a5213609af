-- One row is a run: what was loaded, how deep it is, how many of its scores are
-- tied, how much of it a judgment set covers, and how much its queries know.
with depths as (
    select
        min(run_queries.retrieved) as least_documents,
        median(run_queries.retrieved) as median_documents,
        max(run_queries.retrieved) as most_documents
    from run_queries
    where run_queries.run_id = $run_id
),

-- Under given positions nothing is tied.
scores as (
    select
        rankings.query_id,
        count(*) as documents
    from rankings
    inner join runs using (run_id)
    where rankings.run_id = $run_id and runs.position_rule <> 'given'
    group by
        rankings.query_id,
        case
            when runs.position_rule = 'score32' then cast(cast(rankings.score as float) as double)
            else rankings.score
        end
    having count(*) > 1
),

ties as (
    select
        coalesce(sum(scores.documents), 0) as tied_documents,
        count(distinct scores.query_id) as tied_queries
    from scores
),

-- Another engine may have the ranking.
is_here as (
    select count(*) = 0 as is_here
    from external_evaluations
    where external_evaluations.run_id = $run_id
),

tags as (
    select
        list(run_tags.tag || '=' || run_tags.tag_value order by run_tags.tag) as tags
    from run_tags
    where run_tags.run_id = $run_id
),

judged_queries as (
    select distinct judgments.query_id
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
),

-- Judged documents, of all that the run shows for judged queries.
coverage as (
    select
        avg(
            case when judgments.grade >= 0 then 1.0 else 0.0 end
        ) filter (where rankings.position <= 10) as judged_share_at_10,
        avg(case when judgments.grade >= 0 then 1.0 else 0.0 end) as judged_share
    from rankings
    inner join judged_queries using (query_id)
    left join judgments
        on
            rankings.query_id = judgments.query_id
            and rankings.doc_id = judgments.doc_id
            and judgments.judgment_set_id = $judgment_set_id
    where rankings.run_id = $run_id
),

datasets_with_known as (
    select distinct known_documents.dataset
    from known_documents
),

-- Known documents, of all that the run shows, if any are known in its dataset.
known_shares as (
    select
        avg(
            case when known_documents.doc_id is null then 0.0 else 1.0 end
        ) filter (where rankings.position <= 10) as known_share_at_10,
        avg(case when known_documents.doc_id is null then 0.0 else 1.0 end) as known_share
    from rankings
    inner join runs using (run_id)
    inner join datasets_with_known using (dataset)
    left join known_documents using (dataset, query_id, doc_id)
    where rankings.run_id = $run_id
)

select
    runs.name as run,
    runs.dataset, runs.run_id, runs.source, runs.content_hash, runs.run_at, runs.loaded_at,
    tags.tags, runs.position_rule,
    runs.query_count as queries,
    runs.document_count as documents,
    depths.least_documents, depths.median_documents, depths.most_documents,
    case when is_here.is_here then ties.tied_documents end as tied_documents,
    case when is_here.is_here then ties.tied_queries end as tied_queries,
    judgment_sets.name as judgment_set,
    computed_evaluations.answered, computed_evaluations.unanswered,
    computed_evaluations.unjudged_queries, coverage.judged_share_at_10, coverage.judged_share,
    known_shares.known_share_at_10, known_shares.known_share
from runs
cross join depths
cross join ties
cross join is_here
cross join tags
cross join known_shares
left join judgment_sets
    on judgment_sets.judgment_set_id = $judgment_set_id
left join computed_evaluations using (run_id, judgment_set_id)
left join coverage
    on judgment_sets.judgment_set_id is not null
where runs.run_id = $run_id

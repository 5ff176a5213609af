-- One row is a hit: a document that a run returned and that has a judgment in a
-- judgment set of the same dataset (a negative grade too), at its position in
-- the run. tie_first and tie_last are the first and the last position of the
-- documents that are tied under the position rule of the run: those with the
-- same score, or with the same score as a single float. If positions were
-- given, nothing is tied.
with scored as (
    select
        rankings.run_id, runs.dataset, rankings.query_id, rankings.doc_id, rankings.position,
        case
            when runs.position_rule = 'score' then rankings.score
            when runs.position_rule = 'score32'
                then
                    case
                        -- Scores that are infinite or too large for a single
                        -- float are tied.
                        when rankings.score > 3.4028235677973366e38 then 1e300
                        when rankings.score < -3.4028235677973366e38 then -1e300
                        else cast(try_cast(rankings.score as real) as double)
                    end
        end as score
    from rankings
    inner join runs using (run_id)
),

found as (
    select
        scored.run_id, judgments.judgment_set_id, scored.query_id, scored.doc_id, scored.position,
        scored.score, judgments.grade
    from scored
    inner join judgment_sets using (dataset)
    inner join judgments using (judgment_set_id, query_id, doc_id)
),

-- Ties are looked up only for the scores of hits, because most documents of a
-- run are unjudged.
found_scores as (
    select distinct
        found.run_id, found.query_id, found.score
    from found
),

ties as (
    select
        scored.run_id, scored.query_id, scored.score,
        min(scored.position) as tie_first,
        max(scored.position) as tie_last
    from scored
    inner join found_scores using (run_id, query_id, score)
    group by scored.run_id, scored.query_id, scored.score
)

select
    found.run_id, found.judgment_set_id, found.query_id, found.doc_id, found.position, found.grade,
    -- A run without scores has no ties.
    coalesce(ties.tie_first, found.position) as tie_first,
    coalesce(ties.tie_last, found.position) as tie_last
from found
left join ties using (run_id, query_id, score)

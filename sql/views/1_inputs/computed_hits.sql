-- One row is a document that a run returned and that a judgment set of the
-- same dataset judged (a negative grade too), at the position where the run
-- put it. tie_first and tie_last bound the documents that the run's rule takes
-- for tied: those with the same score, or the same score as a single float;
-- where positions were given, none. The table hits keeps these rows.
with scored as (

    select
        rankings.run_id,
        runs.dataset,
        rankings.query_id,
        rankings.doc_id,
        rankings.position,
        case
            when runs.position_rule = 'score' then rankings.score
            when runs.position_rule = 'score32'
                then
                    case
                        -- Too large for a single float, or infinite: one tie.
                        when rankings.score > 3.4028235677973366e38 then 1e300
                        when rankings.score < -3.4028235677973366e38 then -1e300
                        else cast(try_cast(rankings.score as real) as double)
                    end
        end as score

    from rankings

    inner join runs
        on rankings.run_id = runs.run_id

),

found as (

    select
        scored.run_id,
        judgments.judgment_set_id,
        scored.query_id,
        scored.doc_id,
        scored.position,
        scored.score,
        judgments.grade

    from scored

    inner join judgment_sets
        on scored.dataset = judgment_sets.dataset

    inner join judgments
        on
            judgment_sets.judgment_set_id = judgments.judgment_set_id
            and scored.query_id = judgments.query_id
            and scored.doc_id = judgments.doc_id

),

-- Only scores at which something was found are looked up among all the
-- documents of the run, most of which nobody judged.
found_scores as (

    select distinct
        found.run_id,
        found.query_id,
        found.score

    from found

),

ties as (

    select
        scored.run_id,
        scored.query_id,
        scored.score,
        min(scored.position) as tie_first,
        max(scored.position) as tie_last

    from scored

    inner join found_scores
        on
            scored.run_id = found_scores.run_id
            and scored.query_id = found_scores.query_id
            and scored.score = found_scores.score

    group by
        scored.run_id,
        scored.query_id,
        scored.score

)

select
    found.run_id,
    found.judgment_set_id,
    found.query_id,
    found.doc_id,
    found.position,
    found.grade,
    -- A run without scores has no ties.
    coalesce(ties.tie_first, found.position) as tie_first,
    coalesce(ties.tie_last, found.position) as tie_last

from found

left join ties
    on
        found.run_id = ties.run_id
        and found.query_id = ties.query_id
        and found.score = ties.score

-- One row is a document that a run returned and that a judgment set of the
-- same dataset judged (a negative grade too), at the position where the run
-- put it. tie_first and tie_last bound the documents with the same score.
-- The table hits keeps these rows.
with found as (

    select
        rankings.run_id,
        judgments.judgment_set_id,
        rankings.query_id,
        rankings.doc_id,
        rankings.position,
        rankings.score,
        judgments.grade

    from rankings

    inner join runs
        on rankings.run_id = runs.run_id

    inner join judgment_sets
        on runs.dataset = judgment_sets.dataset

    inner join judgments
        on
            judgment_sets.judgment_set_id = judgments.judgment_set_id
            and rankings.query_id = judgments.query_id
            and rankings.doc_id = judgments.doc_id

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
        rankings.run_id,
        rankings.query_id,
        rankings.score,
        min(rankings.position) as tie_first,
        max(rankings.position) as tie_last

    from rankings

    inner join found_scores
        on
            rankings.run_id = found_scores.run_id
            and rankings.query_id = found_scores.query_id
            and rankings.score = found_scores.score

    group by
        rankings.run_id,
        rankings.query_id,
        rankings.score

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

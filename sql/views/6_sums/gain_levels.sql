-- One row is a gain that a document of a judged query can have (that of one of
-- its judgments, or of the best grade) under a measure that is a share of
-- the ideal: how far it is above the next lower one, and how many documents
-- are judged to gain as much or more.
with levels as (

    select
        judged_queries.judgment_set_id,
        judged_queries.query_id,
        best_gains.measure,
        best_gains.cutoff,
        best_gains.gain,
        0 as judged

    from judged_queries

    inner join best_gains
        on judged_queries.judgment_set_id = best_gains.judgment_set_id

    where
        best_gains.family in ('nDCG', 'nCG')
        and best_gains.gain > 0

    union all

    select
        judgments.judgment_set_id,
        judgments.query_id,
        best_gains.measure,
        best_gains.cutoff,
        grade_gains.gain,
        1 as judged

    from judgments

    inner join grade_gains
        on
            judgments.judgment_set_id = grade_gains.judgment_set_id
            and judgments.grade = grade_gains.grade

    inner join gain_measures
        on
            grade_gains.gain_scheme = gain_measures.gain_scheme
            and grade_gains.rel = gain_measures.rel

    inner join best_gains
        on
            judgments.judgment_set_id = best_gains.judgment_set_id
            and gain_measures.measure = best_gains.measure

    where
        best_gains.family in ('nDCG', 'nCG')
        and grade_gains.gain > 0

),

distinct_levels as (

    select
        levels.judgment_set_id,
        levels.query_id,
        levels.measure,
        levels.cutoff,
        levels.gain,
        sum(levels.judged) as judged

    from levels

    group by
        levels.judgment_set_id,
        levels.query_id,
        levels.measure,
        levels.cutoff,
        levels.gain

)

select
    distinct_levels.judgment_set_id,
    distinct_levels.query_id,
    distinct_levels.measure,
    distinct_levels.cutoff,
    distinct_levels.gain,
    distinct_levels.gain - coalesce(
        lead(distinct_levels.gain) over (
            partition by
                distinct_levels.judgment_set_id,
                distinct_levels.query_id,
                distinct_levels.measure
            order by distinct_levels.gain desc
        ),
        0
    ) as step,
    sum(distinct_levels.judged) over (
        partition by
            distinct_levels.judgment_set_id,
            distinct_levels.query_id,
            distinct_levels.measure
        order by distinct_levels.gain desc
        rows between unbounded preceding and current row
    ) as judged

from distinct_levels

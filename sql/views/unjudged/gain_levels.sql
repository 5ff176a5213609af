-- One row is a gain that a document of a judged query can have (that of one of
-- its judgments, or of the best grade) under a measure that is a share of the
-- ideal. step is the difference from the next lower gain; judged_at_gain is the
-- number of documents that are judged to gain that much or more.
with levels as (

    select
        judged_queries.judgment_set_id,
        judged_queries.query_id,
        best_gains.measure,
        best_gains.cutoff,
        best_gains.gain,
        0 as judged_at_gain

    from judged_queries

    inner join best_gains using (judgment_set_id)

    where
        best_gains.share_of = 'ideal'
        and best_gains.gain > 0

    union all

    select
        judgments.judgment_set_id,
        judgments.query_id,
        best_gains.measure,
        best_gains.cutoff,
        grade_gains.gain,
        1 as judged_at_gain

    from judgments

    inner join grade_gains using (judgment_set_id, grade)

    inner join gain_measures using (gain_scheme, rel)

    inner join best_gains using (judgment_set_id, measure)

    where
        best_gains.share_of = 'ideal'
        and grade_gains.gain > 0

),

distinct_levels as (

    select
        levels.judgment_set_id,
        levels.query_id,
        levels.measure,
        levels.cutoff,
        levels.gain,
        sum(levels.judged_at_gain) as judged_at_gain

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
    distinct_levels.gain
    - coalesce(lead(distinct_levels.gain) over down_the_gains, 0) as step,
    sum(distinct_levels.judged_at_gain) over down_the_gains as judged_at_gain

from distinct_levels

window down_the_gains as (
    partition by
        distinct_levels.judgment_set_id,
        distinct_levels.query_id,
        distinct_levels.measure
    order by distinct_levels.gain desc
    rows between unbounded preceding and current row
)

-- run {run}, judgment set {judgment_set}: table evaluations differs from view
-- computed_evaluations in {row_count} rows; remove the run, and load it again
with compared as (

    select
        evaluations.run_id,
        evaluations.judgment_set_id,
        evaluations.answered,
        evaluations.unanswered,
        evaluations.unjudged_queries,
        1 as side

    from evaluations

    union all

    select
        computed_evaluations.run_id,
        computed_evaluations.judgment_set_id,
        computed_evaluations.answered,
        computed_evaluations.unanswered,
        computed_evaluations.unjudged_queries,
        -1 as side

    from computed_evaluations

    inner join evaluations
        on
            computed_evaluations.run_id = evaluations.run_id
            and computed_evaluations.judgment_set_id
            = evaluations.judgment_set_id

),

differing as (

    select
        compared.run_id,
        compared.judgment_set_id

    from compared

    group by
        compared.run_id,
        compared.judgment_set_id,
        compared.answered,
        compared.unanswered,
        compared.unjudged_queries

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    differing.judgment_set_id,
    count(*) as row_count

from differing

group by
    differing.run_id,
    differing.judgment_set_id

order by
    differing.run_id,
    differing.judgment_set_id

-- One row, if staged scores are as grades are: few whole numbers, and most of them the
-- same as another one of their query, which scores that count ranks are not; and if the
-- grades of a judgment set are as scores are: many, and nearly all fractions. A part of
-- both tells it.
with scores as (
    select query_id, score
    from staged
    limit 50000  -- noqa: AM09
),

grades as (
    select grade
    from judgments
    where judgment_set_id = $judgment_set_id
    limit 50000  -- noqa: AM09
),

are_scores as (
    select count(*) as grade_count
    from grades
    having count(distinct grade) > $most and avg(cast(grade <> trunc(grade) as integer)) >= 0.9
)

select count(*) as score_count
from scores
where exists (from are_scores)
having
    bool_and(score = trunc(score))
    and count(distinct score) <= $most
    and (2 * count(distinct row(query_id, score)) <= count(*) or count(distinct score) = 1)

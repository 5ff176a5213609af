-- Whether the grades of a judgment set are as scores are: many, and nearly all
-- fractions. A part of them tells it.
select
    coalesce(
        count(distinct grades.grade) > $most
        and avg(cast(grades.grade <> trunc(grades.grade) as integer)) >= $share,
        false
    ) as has_scores
from (
    select judgments.grade
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
    limit 50000  -- noqa: AM09
) as grades

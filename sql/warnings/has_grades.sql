-- Whether staged scores are as grades are: few whole numbers, and most of them the same
-- as another one of their query, which scores that count ranks are not. A part of them
-- tells it.
select
    coalesce(
        bool_and(scores.score = trunc(scores.score))
        and count(distinct scores.score) <= $most
        and (
            2 * count(distinct row(scores.query_id, scores.score)) <= count(*)
            or count(distinct scores.score) = 1
        ),
        false
    ) as has_grades
from (
    select
        staged.query_id, staged.score
    from staged
    limit 50000  -- noqa: AM09
) as scores

-- One row is a query of a sample: for each judgment set, as many queries as asked
-- for, in an order that depends on their ids alone. The first of them has the
-- highest grade of the judgment set, which measures such as ERR refer to.
with judged as (
    select
        judgments.judgment_set_id, judgments.query_id,
        max(judgments.grade) as grade
    from judgments
    where list_contains($judgment_set_ids, judgments.judgment_set_id)
    group by judgments.judgment_set_id, judgments.query_id
),

drawn as (
    select
        judged.judgment_set_id, judged.query_id,
        row_number() over (
            partition by judged.judgment_set_id, judged.grade
            order by md5(judged.query_id), judged.query_id
        ) as place_in_grade,
        judged.grade = max(judged.grade) over (partition by judged.judgment_set_id) as is_best
    from judged
),

numbered as (
    select
        drawn.judgment_set_id, drawn.query_id,
        row_number() over (
            partition by drawn.judgment_set_id
            order by
                drawn.is_best and drawn.place_in_grade = 1 desc,
                md5(drawn.query_id),
                drawn.query_id
        ) as place
    from drawn
)

select
    numbered.judgment_set_id, numbered.query_id
from numbered
where numbered.place <= $most

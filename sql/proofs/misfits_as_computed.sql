-- judgment set {judgment_set}: table misfits differs from view computed_misfits for measure
-- {measure}; load the judgments again
with compared as (
    select
        judgment_set_id, measure, fault, grades,
        1 as side
    from misfits
    union all
    select
        judgment_set_id, measure, fault, grades,
        -1 as side
    from computed_misfits
),

differing as (
    select judgment_set_id, measure
    from compared
    group by judgment_set_id, measure, fault, grades
    having sum(side) <> 0
)

select distinct judgment_set_id, measure
from differing
order by all

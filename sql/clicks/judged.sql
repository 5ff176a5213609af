-- The judgments that clicks make: fractions, or the number of levels that a
-- fraction reaches.
select
    clicked.query_id, clicked.doc_id,
    case
        when len(cast($levels as double[])) = 0 then clicked.fraction
        else
            len(
                list_filter(
                    cast($levels as double[]),
                    lambda level: level <= clicked.fraction  -- noqa: RF03
                )
            )
    end as grade,
    cast(null as varchar) as label
from clicked
where clicked.impressions >= $min_impressions and clicked.fraction is not null

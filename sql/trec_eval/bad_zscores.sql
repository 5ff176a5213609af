-- One row is the first line of a -Z file that does not consist of query,
-- measure, mean and deviation, or that repeats an earlier line.
select
    zscores.line_number,
    case
        when zscores.field_count <> 4 then 'expected 4 fields (query measure mean deviation)'
        when zscores.mean is null or zscores.deviation is null
            then 'the mean or the deviation is not a number'
        else 'a second line for this query and measure'
    end as reason
from zscores
where
    zscores.field_count <> 4
    or zscores.mean is null
    or zscores.deviation is null
    or not isfinite(zscores.mean)
    or not isfinite(zscores.deviation)
    or exists (
        select 1
        from zscores as earlier
        where
            earlier.query_id = zscores.query_id
            and earlier.name = zscores.name
            and earlier.line_number < zscores.line_number
    )
order by zscores.line_number
limit 1

-- The places of the fields that have few values ($most), all of them short, in the
-- rows of a file: numbers or words, as grades are; with these values. Words stand in
-- a share of the rows at least ($filled): remarks are few.
select
    source_rows.place,
    list(distinct source_rows.field_value) as words
from source_rows
group by source_rows.place
having
    count(distinct source_rows.field_value) between 1 and $most
    and max(length(source_rows.field_value)) <= $longest
    and (
        count(source_rows.field_value) >= $filled * count(*)
        or count(source_rows.field_value)
        = count(try_cast(source_rows.field_value as double))
    )
order by source_rows.place

-- The places of the fields whose values are numbers in all rows; with $commas, these
-- may have decimal commas, and points between thousands.
select source_rows.place
from source_rows
group by source_rows.place
having
    count(source_rows.field_value) > 0
    and count(source_rows.field_value)
    = count_if(
        try_cast(source_rows.field_value as double) is not null
        or (
            $commas
            and regexp_full_match(
                source_rows.field_value,
                '[+-]?([0-9]+|[1-9][0-9]{0,2}([.][0-9]{3})+),[0-9]+'
            )
        )
    )
order by source_rows.place

-- The places of the fields that have few values ($most), all of them short, in the
-- rows of a file: numbers or words, as grades are; with these values. Words stand in
-- a share of the rows at least ($filled): remarks are few.
with places as (

    select unnest($places) as place

),

field_values as (

    select
        places.place,
        nullif(trim(source_rows.fields[places.place], ' '), '') as field_value

    from source_rows

    cross join places

)

select
    field_values.place,
    list(distinct field_values.field_value) as words

from field_values

group by field_values.place

having
    count(distinct field_values.field_value) between 1 and $most
    and max(length(field_values.field_value)) <= $longest
    and (
        count(field_values.field_value) >= $filled * count(*)
        or count(field_values.field_value)
        = count(try_cast(field_values.field_value as double))
    )

order by field_values.place

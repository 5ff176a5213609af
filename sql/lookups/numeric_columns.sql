-- The places of the fields whose values are numbers in all rows, apart from blanks.
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

select field_values.place

from field_values

group by field_values.place

having
    count(field_values.field_value) > 0
    and count(field_values.field_value)
    = count(try_cast(field_values.field_value as double))

order by field_values.place

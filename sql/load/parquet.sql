-- Rows of a Parquet file: four of its columns as text, in a fixed order.
-- Single floats are widened first, so that no digit of them is lost; a null
-- becomes an empty field, as in a text file.
with chosen as (

    select
        row_number() over () as line_number,
        columns(lambda name: name = $first_column) as first_value,
        columns(lambda name: name = $second_column) as second_value,
        columns(lambda name: name = $third_column) as third_value,
        columns(lambda name: name = $fourth_column) as fourth_value

    from read_parquet($path, hive_partitioning = false)

)

select
    chosen.line_number,
    [
        coalesce(cast(chosen.first_value as varchar), ''),
        coalesce(cast(chosen.second_value as varchar), ''),
        coalesce(
            case
                when typeof(chosen.third_value) = 'FLOAT'
                    then
                        cast(try_cast(chosen.third_value as double) as varchar)
                else cast(chosen.third_value as varchar)
            end,
            ''
        ),
        coalesce(cast(chosen.fourth_value as varchar), '')
    ] as fields

from chosen

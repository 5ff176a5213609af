-- Rows of a Parquet file: the chosen columns as text, in the order of the file.
-- Single floats are first converted to doubles, so that none of their digits is
-- lost; lists and objects become JSON; a null becomes an empty field, as in a text
-- file.
with chosen as (
    select columns(lambda name: list_contains($names, name))
    from read_parquet($path, hive_partitioning = false)
),

texts as (
    select
        coalesce(
            case
                when typeof(columns(*)) = 'FLOAT'
                    then cast(try_cast(columns(*) as double) as varchar)
                when typeof(columns(*)) similar to '(STRUCT|MAP|UNION).*|.*\]'
                    then cast(to_json(columns(*)) as varchar)
                else cast(columns(*) as varchar)
            end,
            ''
        )
    from chosen
)

select
    row_number() over () as line_number,
    list_value(*columns(*)) as fields
from texts

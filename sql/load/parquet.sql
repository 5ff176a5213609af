-- Rows of a Parquet file: four of its columns as text, in a fixed order.
-- Single floats are widened first, so that no digit of them is lost.
select
    parquet_rows.file_row_number + 1 as line_number,
    list_transform(
        [
            cast(struct_extract(parquet_rows, $first_column) as varchar),
            cast(struct_extract(parquet_rows, $second_column) as varchar),
            case
                when typeof(struct_extract(parquet_rows, $third_column)) = 'FLOAT'
                    then
                        cast(
                            try_cast(
                                struct_extract(parquet_rows, $third_column)
                                as double
                            ) as varchar
                        )
                else cast(struct_extract(parquet_rows, $third_column) as varchar)
            end,
            cast(struct_extract(parquet_rows, $fourth_column) as varchar)
        ],
        lambda field: coalesce(field, '')
    ) as fields

from read_parquet($path, file_row_number = true) as parquet_rows

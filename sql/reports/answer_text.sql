-- One row is a row of an answer, with every value as DuckDB writes it.
select cast(columns(*) as varchar) from output_rows

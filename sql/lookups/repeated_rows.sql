-- How many rows of a file are the same as another in all fields, and how many have
-- the query and document of another in their run, which $run_fields name.
select
    count(*) - count(distinct source_rows.fields) as same_rows,
    count(*)
    - count(
        distinct struct_pack(
            run_values := list_select(source_rows.fields, $run_fields),
            query_id := source_rows.fields[$query_field],
            doc_id := source_rows.fields[$doc_field]
        )
    ) as repeated_rows
from source_rows

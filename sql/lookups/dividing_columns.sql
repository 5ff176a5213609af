-- The columns, or pairs of columns, whose values divide the rows of a file so that
-- no document, or no rank ($unique_field), is twice in a part for a query; the
-- fewest parts first. The places of the two are $first_places and $second_places,
-- 0 for none; a run, which $run_fields name, is divided already. Rows that are the
-- same in all fields are one; of the others that are twice in the file, a part may
-- still have a share ($tolerated). A row without a query, such as of totals, has no
-- part.
with distinct_rows as (
    select distinct source_rows.fields
    from source_rows
    where trim(source_rows.fields[$query_field]) <> ''
),

pairs as (
    select
        unnest($first_places) as first_place,
        unnest($second_places) as second_place,
        $run_fields as run_fields
),

parts as (
    select
        pairs.first_place, pairs.second_place,
        list_select(distinct_rows.fields, pairs.run_fields) as run_values,
        distinct_rows.fields[$query_field] as query_id,
        distinct_rows.fields[$unique_field] as unique_value,
        distinct_rows.fields[pairs.first_place] as first_value,
        distinct_rows.fields[nullif(pairs.second_place, 0)] as second_value,
        count(*) as row_count
    from distinct_rows
    cross join pairs
    group by all
)

select
    parts.first_place, parts.second_place,
    count(
        distinct struct_pack(
            run_values := parts.run_values,
            first_value := parts.first_value,
            second_value := parts.second_value
        )
    ) as part_count,
    count(distinct parts.run_values) as run_count
from parts
group by parts.first_place, parts.second_place
having
    sum(parts.row_count) - count(*)
    <= $tolerated
    * (
        sum(parts.row_count)
        - count(
            distinct struct_pack(
                run_values := parts.run_values,
                query_id := parts.query_id,
                unique_value := parts.unique_value
            )
        )
    )
    and min(coalesce(parts.first_value, '')) <> ''
    and 2 * part_count <= count(*)
order by
    parts.second_place > 0,
    max(parts.row_count) > 1,
    part_count, parts.first_place, parts.second_place

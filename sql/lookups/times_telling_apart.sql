-- The places of the columns whose values are times, other ones wherever an assessor
-- ($assessor_field, or one assessor) grades a document of a query again.
with places as (

    select unnest($places) as place

),

opinions as (

    select
        places.place,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$doc_field] as doc_id,
        source_rows.fields[$assessor_field] as assessor,
        trim(source_rows.fields[places.place]) as time_text,
        count(*) as row_count

    from source_rows

    cross join places

    group by all

)

select opinions.place

from opinions

group by opinions.place

having
    max(opinions.row_count) = 1
    and bool_and(
        regexp_matches(
            coalesce(opinions.time_text, ''),
            '^([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}'
            || '|[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4})'
        )
    )

order by opinions.place

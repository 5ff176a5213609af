-- The events that a row with counts stands for: its impressions, one if it does not
-- count them, and its clicks, in the order of the action and its count before the
-- fields of the row. Whether a document was clicked is a count, too; an empty one is
-- none.
with counted_rows as (

    select
        source_rows.line_number,
        source_rows.fields,
        case
            when $impressions_field is null then '1'
            else coalesce(trim(source_rows.fields[$impressions_field]), '')
        end as impressions,
        lower(coalesce(trim(source_rows.fields[$clicks_field]), '')) as clicks

    from source_rows

)

select
    counted_rows.line_number,
    list_concat(
        ['impression', counted_rows.impressions], counted_rows.fields
    ) as fields

from counted_rows

union all

select
    counted_rows.line_number,
    list_concat(
        [
            'click',
            case
                when counted_rows.clicks = 'true' then '1'
                when counted_rows.clicks in ('', 'false') then '0'
                else counted_rows.clicks
            end
        ],
        counted_rows.fields
    ) as fields

from counted_rows

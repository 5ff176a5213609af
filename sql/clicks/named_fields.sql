-- The fields of rows that have as many as the header, by the names of their columns;
-- the parameters give the number of each.
select
    source_rows.fields[$query_field] as query_id,
    source_rows.fields[$doc_field] as doc_id,
    source_rows.fields[$action_field] as event_action,
    source_rows.fields[$position_field] as position,
    source_rows.fields[$time_field] as time
from source_rows
where len(source_rows.fields) = $field_count

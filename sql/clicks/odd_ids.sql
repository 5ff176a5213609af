-- How many events have ids with what no id may contain, or other tools split at.
select count(*) as event_count

from events

where regexp_matches(events.query_id || events.doc_id, '[\x00\x0B\x0C]')

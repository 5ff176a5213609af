-- The actions of staged events that nobody weighed, the most frequent first; a
-- line of another form has none.
select
    event_action,
    count(*) as event_count
from staged
where
    weight is null
    and event_action <> ''
    and field_count between $fewest_fields and $most_fields
group by event_action
order by event_count desc, event_action asc

-- The actions of staged events that nobody weighed, the most frequent first; a
-- line of another form has none.
select
    staged.event_action,
    count(*) as event_count
from staged
where
    staged.weight is null
    and staged.event_action <> ''
    and staged.field_count between $fewest_fields and $most_fields
group by staged.event_action
order by event_count desc, staged.event_action asc

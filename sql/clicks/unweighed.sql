-- The actions of staged events that nobody weighed, the most frequent first.
select
    staged.event_action,
    count(*) as event_count

from staged

where staged.weight is null

group by staged.event_action

order by
    event_count desc,
    staged.event_action asc

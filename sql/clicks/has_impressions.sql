-- Whether any staged event says what was shown.
select count(*) > 0 as has_impressions

from staged

inner join actions using (action_number)

where actions.event_action = 'impression'

insert into hits by name
select all_hits.*

from all_hits

where
    all_hits.run_id = $run_id
    and all_hits.judgment_set_id = $judgment_set_id

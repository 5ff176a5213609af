-- One row is how many documents a list has that is not as the run returned it (see lists).
select
    run_id, judgment_set_id, query_id, known, judged_only,
    max(position) as listed
from lists
inner join condensing using (known, judged_only)
group by all
union all
select
    run_id, judgment_set_id, query_id,
    'omit' as known,
    false as judged_only,
    count(*) as listed
from new_rankings
inner join evaluations using (run_id)
group by all

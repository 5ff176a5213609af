-- One row is a position of a run's list under a measure of gains: its document, grade, gain,
-- discount and discounted gain, and the DCG down to it; and the same of the ideal list.
select
    judgment_sets.dataset, run,
    judgment_sets.name as judgment_set,
    run_id, judgment_set_id, query_id, measure,
    gain_steps.position, gain_steps.doc_id, grade, gain, discount,
    gain / discount as discounted_gain,
    coalesce(sum(gain / discount) over down_the_list, 0) as dcg,
    ideal_doc_id, ideal_gain,
    coalesce(sum(ideal_gain / discount) over down_the_list, 0) as ideal_dcg
from gain_steps
inner join judgment_sets using (judgment_set_id)
left join (select * exclude (position) from hits) as judged_hits
    using (run_id, judgment_set_id, query_id, doc_id)
window down_the_list as (
    partition by run_id, run, judgment_set_id, query_id, measure
    order by gain_steps.position rows between unbounded preceding and current row
)

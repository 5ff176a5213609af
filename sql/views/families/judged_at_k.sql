-- Judged@k: the share of judged documents among the first k, or among all if
-- the run returned fewer. It shows how far the other values can be trusted
-- (MacAvaney et al. 2022, ir-measures).
select
    judged_counts.run_id,
    judged_counts.judgment_set_id,
    judged_counts.query_id,
    judged_counts.measure,
    judged_counts.retrieved,
    case
        when judged_counts.shown > 0
            then judged_counts.judged / judged_counts.shown
        else 0
    end as value,
    false as nothing_relevant

from judged_counts

where judged_counts.family = 'Judged'

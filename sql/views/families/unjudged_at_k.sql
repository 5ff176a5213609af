-- unj@k: the share of unjudged documents among the first k; the divisor is k
-- even if fewer documents were returned (trec_eval).
select
    judged_counts.run_id,
    judged_counts.judgment_set_id,
    judged_counts.query_id,
    judged_counts.measure,
    judged_counts.retrieved,
    case
        when judged_counts.listed > 0
            then
                (judged_counts.shown - judged_counts.judged)
                / coalesce(judged_counts.cutoff, judged_counts.listed)
        else 0
    end as value,
    false as nothing_relevant

from judged_counts

where judged_counts.family = 'unj'

-- The measures that rest on the number of judged documents among the first k, or
-- without k among all that the run returned.
-- Judged@k: the share of judged documents, of those that the run returned if these
-- are fewer than k. It shows how far the other values can be trusted (MacAvaney et al.
-- 2022, ir-measures).
-- unj@k: the share of unjudged documents; the divisor is k even if fewer documents
-- were returned (trec_eval).
-- num_nonrel_judged_ret: the number of returned documents that were judged not
-- relevant (trec_eval).
select
    judged_counts.run_id,
    judged_counts.judgment_set_id,
    judged_counts.query_id,
    judged_counts.measure,
    judged_counts.retrieved,
    case
        when judged_counts.shown = 0 then 0
        when judged_counts.family = 'Judged'
            then judged_counts.judged / judged_counts.shown
        when judged_counts.family = 'unj'
            then
                (judged_counts.shown - judged_counts.judged)
                / coalesce(judged_counts.cutoff, judged_counts.listed)
        else judged_counts.judged
    end as value,
    false as nothing_relevant

from judged_counts

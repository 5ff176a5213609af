-- One row is a run under a judgment set, with the values of nDCG@10, AP, RR and
-- R@100 side by side. The value of a measure that is not registered is null;
-- judged_at_10 is null if nDCG@10 is not.
select
    run_values.dataset, run_values.run, run_values.judgment_set,
    max(case when run_values.measure = 'nDCG@10' then run_values.value end) as ndcg_at_10,
    max(case when run_values.measure = 'AP' then run_values.value end) as ap,
    max(case when run_values.measure = 'RR' then run_values.value end) as rr,
    max(case when run_values.measure = 'R@100' then run_values.value end) as r_at_100,
    max(case when run_values.measure = 'nDCG@10' then run_values.judged_at_k end) as judged_at_10,
    run_values.answered, run_values.unanswered, run_values.unjudged_queries, run_values.run_id,
    run_values.judgment_set_id
from store.run_values
group by
    run_values.dataset, run_values.run, run_values.judgment_set, run_values.answered,
    run_values.unanswered, run_values.unjudged_queries, run_values.run_id,
    run_values.judgment_set_id

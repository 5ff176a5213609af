-- One row is a run under a judgment set, with the values of nDCG@10, AP, RR and
-- R@100 side by side. The value of a measure that is not registered is null;
-- judged_at_10 is null if nDCG@10 is not.
select
    run_scorecards.dataset,
    run_scorecards.run,
    run_scorecards.judgment_set,
    run_scorecards.ndcg_at_10,
    run_scorecards.ap,
    run_scorecards.rr,
    run_scorecards.r_at_100,
    run_scorecards.judged_at_10,
    run_scorecards.answered,
    run_scorecards.unanswered,
    run_scorecards.unjudged_queries,
    run_scorecards.run_id,
    run_scorecards.judgment_set_id

from store.run_scorecards

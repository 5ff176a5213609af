-- The evaluation of a run, of which it is known how many queries it answered.
insert into evaluations (run_id, judgment_set_id, answered, unanswered, unjudged_queries)
values ($run_id, $judgment_set_id, $answered, $unanswered, $unjudged_queries)

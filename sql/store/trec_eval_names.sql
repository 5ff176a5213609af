-- The name of a measure in trec_eval, if it has one.
update measures
set trec_eval_name = $trec_eval_name
where measure = $measure

-- One row is the value of a registered measure for a run at the time of the
-- run, with the previous run of the same series, its value and the difference.
-- If tag is null, the series consists of all runs of the dataset; otherwise it
-- consists of the runs with this value of the tag. A run with tags therefore
-- has several rows: filter by one tag, or by tag is null.
select
    history.dataset,
    history.judgment_set,
    history.measure,
    history.tag,
    history.tag_value,
    history.made_at,
    history.run,
    history.value,
    history.previous_run,
    history.previous_value,
    history.difference,
    history.n,
    history.judged_at_k,
    history.run_id,
    history.judgment_set_id

from store.history

-- One row is the value of a measure for a run or a slice of its queries, plain and
-- weighted, with the counts that it is based on.
select
    part_values.run,
    part_values.judgment_set,
    part_values.dataset,
    part_values.slice,
    part_values.measure,
    part_values.value,
    part_values.weighted_value,
    part_values.n,
    part_values.weighted_n,
    cast(part_values.answered as bigint) as answered,
    cast(part_values.unanswered as bigint) as unanswered,
    cast(part_values.no_relevant as bigint) as no_relevant,
    part_values.unjudged_queries,
    part_values.judged_at_k,
    cast(coalesce(measures.cutoff, 10) as bigint) as judged_depth,
    part_values.standard_error

from part_values

inner join measures using (measure)

where
    list_contains($run_ids, part_values.run_id)
    and list_contains($judgment_set_ids, part_values.judgment_set_id)
    and list_contains($measures, part_values.measure)

order by
    part_values.dataset,
    part_values.slice nulls last,
    list_position($run_ids, part_values.run_id),
    list_position($measures, part_values.measure)

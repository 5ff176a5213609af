-- One row is one of the queries that lost or gained most by a measure; for each
-- candidate, the greatest loss comes first. If an attribute is given, only
-- queries of its slice are included.
select
    comparisons.candidate,
    comparisons.query_id,
    queries.text,
    comparisons.baseline_value,
    comparisons.candidate_value,
    comparisons.difference

from comparisons

left join queries using (dataset, query_id)

where
    comparisons.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, comparisons.candidate_run_id)
    and comparisons.judgment_set_id = $judgment_set_id
    and comparisons.measure = $measure
    and abs(comparisons.difference) >= 5e-13
    and (
        $attribute is null
        or comparisons.query_id in (
            select query_slices.query_id
            from query_slices
            where
                query_slices.judgment_set_id = $judgment_set_id
                and query_slices.attribute = $attribute
                and query_slices.slice is not distinct from $slice
        )
    )

qualify
    row_number()
        over (
            partition by
                comparisons.candidate_run_id, comparisons.difference > 0
            order by abs(comparisons.difference) desc, comparisons.query_id
        )
    <= $count

order by
    list_position($candidate_run_ids, comparisons.candidate_run_id),
    comparisons.difference,
    comparisons.query_id

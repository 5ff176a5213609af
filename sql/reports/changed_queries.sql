-- One row is one of the queries that lost or gained most by a measure; for each
-- candidate, the greatest loss comes first. If an attribute is given, only
-- queries of its slice are included.
select
    compared_values.candidate,
    compared_values.query_id,
    queries.text,
    compared_values.baseline_value,
    compared_values.candidate_value,
    compared_values.difference

from compared_values

left join queries using (dataset, query_id)

where
    compared_values.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_values.candidate_run_id)
    and compared_values.judgment_set_id = $judgment_set_id
    and compared_values.measure = $measure
    and abs(compared_values.difference) >= 5e-13
    and (
        $attribute is null
        or compared_values.query_id in (
            select query_groups.query_id
            from query_groups
            where
                query_groups.judgment_set_id = $judgment_set_id
                and query_groups.attribute = $attribute
                and query_groups.slice is not distinct from $slice
        )
    )

qualify
    row_number()
        over (
            partition by
                compared_values.candidate_run_id, compared_values.difference > 0
            order by
                abs(compared_values.difference) desc, compared_values.query_id
        )
    <= $count

order by
    list_position($candidate_run_ids, compared_values.candidate_run_id),
    compared_values.difference,
    compared_values.query_id

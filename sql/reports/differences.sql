-- One row is the comparison of a candidate with the baseline by a measure, for
-- all queries or for a slice of them: the distinct differences in ascending
-- order, and the number of queries with each. Differences are rounded, so that
-- those that differ only in the last bits are counted together.
with counted as (
    select
        compared_values.candidate_run_id, compared_values.measure, query_groups.attribute,
        query_groups.slice,
        round(compared_values.difference, 12) as difference,
        count(*) as queries
    from compared_values
    inner join query_groups using (judgment_set_id, query_id)
    where
        compared_values.baseline_run_id = $baseline_run_id
        and list_contains($candidate_run_ids, compared_values.candidate_run_id)
        and compared_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, compared_values.measure)
        and (query_groups.attribute is not null) = $sliced
        and compared_values.difference is not null
    group by
        compared_values.candidate_run_id, compared_values.measure, query_groups.attribute,
        query_groups.slice,
        round(compared_values.difference, 12)
)

select
    counted.candidate_run_id, counted.measure, counted.attribute, counted.slice,
    list(counted.difference order by counted.difference) as differences,
    list(counted.queries order by counted.difference) as counts
from counted
group by counted.candidate_run_id, counted.measure, counted.attribute, counted.slice

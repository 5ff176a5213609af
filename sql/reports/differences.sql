-- One row is the comparison of a candidate with the baseline by a measure, for
-- all queries or for a slice of them: the distinct differences in ascending
-- order, and the number of queries with each. Differences are rounded, so that
-- those that differ only in the last bits are counted together.
with counted as (

    select
        comparisons.candidate_run_id,
        comparisons.measure,
        query_slices.attribute,
        query_slices.slice,
        round(comparisons.difference, 12) as difference,
        count(*) as queries

    from comparisons

    left join query_slices
        on
            comparisons.judgment_set_id = query_slices.judgment_set_id
            and comparisons.query_id = query_slices.query_id
            and $sliced

    where
        comparisons.baseline_run_id = $baseline_run_id
        and comparisons.candidate_run_id = $candidate_run_ids[1]
        and comparisons.judgment_set_id = $judgment_set_id
        and comparisons.measure = $measures[1]
        and comparisons.difference is not null

    group by
        comparisons.candidate_run_id,
        comparisons.measure,
        query_slices.attribute,
        query_slices.slice,
        round(comparisons.difference, 12)

)

select
    counted.candidate_run_id,
    counted.measure,
    counted.attribute,
    counted.slice,
    list(counted.difference order by counted.difference) as differences,
    list(counted.queries order by counted.difference) as counts

from counted

group by
    counted.candidate_run_id,
    counted.measure,
    counted.attribute,
    counted.slice

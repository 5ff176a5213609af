-- For whom did it get better? One row is the comparison of two runs by a measure
-- for a slice: the queries with one value of an attribute, at least 5 of them.
-- The slice that lost most comes first. With many slices, some intervals leave
-- out 0 by chance.
with reaches as (

    select
        slice_comparisons.dataset,
        slice_comparisons.judgment_set,
        slice_comparisons.measure,
        slice_comparisons.baseline,
        slice_comparisons.candidate,
        slice_comparisons.attribute,
        coalesce(slice_comparisons.attribute_value, 'not known') as slice,
        slice_comparisons.baseline_value,
        slice_comparisons.candidate_value,
        slice_comparisons.difference,
        slice_comparisons.n,
        slice_comparisons.wins,
        slice_comparisons.ties,
        slice_comparisons.losses,
        slice_comparisons.weighted_difference,
        -- As in verdict.sql.
        case
            when slice_comparisons.standard_error > 5e-13
                then slice_comparisons.standard_error * (
                    1.959964
                    + (
                        2.372271
                        + (
                            2.822499
                            + (2.555850 + 1.589534 / (slice_comparisons.n - 1))
                            / (slice_comparisons.n - 1)
                        )
                        / (slice_comparisons.n - 1)
                    )
                    / (slice_comparisons.n - 1)
                )
        end as reach

    from slice_comparisons

    where slice_comparisons.n > 4

)

select
    reaches.dataset,
    reaches.judgment_set,
    reaches.measure,
    reaches.baseline,
    reaches.candidate,
    reaches.attribute,
    reaches.slice,
    case
        when reaches.difference > reaches.reach then 'improved'
        when -reaches.difference > reaches.reach then 'worse'
        else 'not proven'
    end as verdict,
    reaches.baseline_value,
    reaches.candidate_value,
    reaches.difference,
    reaches.difference - reaches.reach as ci_low,
    reaches.difference + reaches.reach as ci_high,
    reaches.n,
    reaches.wins,
    reaches.ties,
    reaches.losses,
    reaches.weighted_difference

from reaches

order by
    reaches.difference,
    reaches.slice

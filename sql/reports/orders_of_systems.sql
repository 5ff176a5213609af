-- One row is how far two judgment sets agree on the order of the same runs by a
-- measure: Kendall's tau-b over their means, tau_AP (Yilmaz, Aslam and Robertson
-- 2008), to which the order by the new set is an estimate of that by the old one,
-- so that errors at its top weigh more, and the run that falls furthest. In
-- tau_AP, a pair that is tied in either order counts half (tied_pairs are as many),
-- so that an order with ties agrees with itself by less than 1. Both are null where
-- all runs are tied in an order.
with means as (

    select
        run_values.measure,
        run_values.run,
        others.value as old_value,
        run_values.value as new_value,
        rank() over (
            partition by run_values.measure order by others.value desc
        ) as old_place,
        rank() over (
            partition by run_values.measure order by run_values.value desc
        ) as new_place

    from run_values

    inner join run_values as others using (run_id, measure)

    where
        run_values.judgment_set_id = $judgment_set_id
        and others.judgment_set_id = $other_judgment_set_id
        and list_contains($run_ids, run_values.run_id)
        and list_contains($measures, run_values.measure)
        and run_values.value is not null
        and others.value is not null

),

-- Each pair of runs is there twice. Values that differ only in the last bits
-- are the same.
pairs as (

    select
        means.measure,
        means.run,
        sign(round(others.old_value - means.old_value, 12)) as old_sign,
        sign(round(others.new_value - means.new_value, 12)) as new_sign

    from means

    inner join means as others
        on
            means.measure = others.measure
            and means.run <> others.run

),

-- How much of what stands above a run should stand there.
above as (

    select
        pairs.measure,
        pairs.run,
        sum(
            case when pairs.new_sign = 0 then 0.5 else 1 end
            * case
                when pairs.old_sign = 0 or pairs.new_sign = 0 then 0.5
                when pairs.old_sign > 0 then 1
                else 0
            end
        )
        / sum(case when pairs.new_sign = 0 then 0.5 else 1 end) as share

    from pairs

    where pairs.new_sign >= 0

    group by
        pairs.measure,
        pairs.run

),

ap_correlations as (

    select
        above.measure,
        2 * avg(above.share order by above.run) - 1 as tau_ap

    from above

    group by above.measure

),

taus as (

    select
        pairs.measure,
        sum(pairs.old_sign * pairs.new_sign) as concordance,
        sum(abs(pairs.old_sign)) as old_untied,
        sum(abs(pairs.new_sign)) as new_untied,
        count_if(pairs.old_sign = 0 or pairs.new_sign = 0) // 2 as tied_pairs

    from pairs

    group by pairs.measure

),

falls as (

    select
        means.measure,
        count(*) as runs,
        max(means.new_place - means.old_place) as places_lost,
        arg_max(
            means.run, (means.new_place - means.old_place, -means.old_place)
        ) as fallen_run

    from means

    group by means.measure

)

select
    falls.measure,
    falls.runs,
    case
        when taus.old_untied > 0 and taus.new_untied > 0
            then
                taus.concordance
                / sqrt(cast(taus.old_untied * taus.new_untied as double))
    end as kendall_tau,
    case
        when taus.old_untied > 0 and taus.new_untied > 0
            then ap_correlations.tau_ap
    end as tau_ap,
    taus.tied_pairs,
    falls.places_lost,
    case when falls.places_lost > 0 then falls.fallen_run end as fallen_run,
    decisions.decided,
    decisions.upheld,
    decisions.lost,
    decisions.turned,
    decisions.added

from falls

inner join taus using (measure)

inner join ap_correlations using (measure)

left join decisions using (measure)

order by list_position($measures, falls.measure)

-- One row is how far two judgment sets agree on the order of the same runs by a
-- measure: Kendall's tau-b over their means, tau_AP,b (Urbano and Marrero 2017),
-- and the run that falls furthest. In tau_AP,b, errors at the top weigh more: it is
-- the mean of tau_AP (Yilmaz, Aslam and Robertson 2008) in both directions, in which
-- runs are compared with those that stand above them, not with those they are tied
-- with. Both are null where all runs are tied in an order.
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

-- How many runs stand above a run in each order, and how many do so in both.
above as (

    select
        pairs.measure,
        pairs.run,
        sum(case when pairs.old_sign > 0 then 1 else 0 end) as old_above,
        sum(case when pairs.new_sign > 0 then 1 else 0 end) as new_above,
        sum(
            case
                when pairs.old_sign > 0 and pairs.new_sign > 0 then 1
                else 0
            end
        ) as both_above

    from pairs

    group by
        pairs.measure,
        pairs.run

),

-- Runs with none above them have no share.
ap_correlations as (

    select
        above.measure,
        avg(above.both_above / nullif(above.old_above, 0) order by above.run)
        + avg(above.both_above / nullif(above.new_above, 0) order by above.run)
        - 1 as tau_ap_b

    from above

    group by above.measure

),

taus as (

    select
        pairs.measure,
        sum(pairs.old_sign * pairs.new_sign) as concordance,
        sum(abs(pairs.old_sign)) as old_untied,
        sum(abs(pairs.new_sign)) as new_untied

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
            then ap_correlations.tau_ap_b
    end as tau_ap_b,
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

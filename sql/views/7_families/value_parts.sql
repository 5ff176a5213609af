-- One row is a judged query of an evaluation under a measure whose holes can
-- be filled (see best_gains): the value as it is, what it is made of (part of
-- best), and what that would be if one more document of the largest grade were
-- known: best_if_one_more, and the value if the run does not return it.
with ideals as (

    select
        gain_levels.judgment_set_id,
        gain_levels.query_id,
        gain_levels.measure,
        sum(
            gain_levels.step * place_worths.worth_sum
            order by gain_levels.gain
        ) as best

    from gain_levels

    inner join place_worths
        on
            gain_levels.measure = place_worths.measure
            and least(
                gain_levels.judged + 1,
                coalesce(gain_levels.cutoff, gain_levels.judged + 1)
            )
            = place_worths.place

    group by
        gain_levels.judgment_set_id,
        gain_levels.query_id,
        gain_levels.measure

),

shares as (

    select
        gain_sums.run_id,
        gain_sums.judgment_set_id,
        gain_sums.query_id,
        gain_sums.measure,
        case
            when gain_sums.family = 'nDCG' then gain_sums.dcg
            else gain_sums.cg
        end as part,
        case
            when gain_sums.family = 'nDCG' then gain_sums.ideal_dcg
            else gain_sums.ideal_cg
        end as best

    from gain_sums

    where gain_sums.family in ('nDCG', 'nCG')

    union all

    select
        relevance_counts.run_id,
        relevance_counts.judgment_set_id,
        relevance_counts.query_id,
        relevance_counts.measure,
        case
            when relevance_counts.family = 'AP'
                then relevance_counts.precision_sum
            else relevance_counts.found
        end as part,
        case
            when relevance_counts.family = 'P'
                then
                    coalesce(relevance_counts.cutoff, relevance_counts.listed)
            else relevance_counts.relevant
        end as best

    from relevance_counts

    where relevance_counts.family in ('AP', 'R', 'P')

),

parts as (

    select
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.query_id,
        stored_values.measure,
        best_gains.family,
        best_gains.gain,
        stored_values.value,
        coalesce(shares.part, stored_values.value) as part,
        coalesce(shares.best, 1) as best,
        case
            when best_gains.gain <= 0 then shares.best
            when best_gains.family in ('nDCG', 'nCG') then ideals.best
            when best_gains.family in ('AP', 'R') then shares.best + 1
            else coalesce(shares.best, 1)
        end as best_if_one_more

    from stored_values

    inner join best_gains
        on
            stored_values.judgment_set_id = best_gains.judgment_set_id
            and stored_values.measure = best_gains.measure

    left join shares
        on
            stored_values.run_id = shares.run_id
            and stored_values.judgment_set_id = shares.judgment_set_id
            and stored_values.query_id = shares.query_id
            and stored_values.measure = shares.measure

    left join ideals
        on
            stored_values.judgment_set_id = ideals.judgment_set_id
            and stored_values.query_id = ideals.query_id
            and stored_values.measure = ideals.measure

)

select
    parts.run_id,
    parts.judgment_set_id,
    parts.query_id,
    parts.measure,
    parts.family,
    parts.gain,
    parts.value,
    parts.part,
    parts.best,
    parts.best_if_one_more,
    case
        when
            parts.gain > 0
            and parts.family in ('nDCG', 'nCG', 'AP', 'R')
            then parts.part / parts.best_if_one_more
        else parts.value
    end as value_if_missed

from parts

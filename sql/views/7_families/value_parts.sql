-- One row is a judged query of an evaluation under a measure whose holes can
-- be filled (see best_gains): the value as it is, what it is made of (part of
-- best), and the value if one more document of the largest grade were known
-- that the run does not return.
with shares as (

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
        relevance_counts.relevant as best

    from relevance_counts

    where relevance_counts.family in ('AP', 'R')

)

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
        when best_gains.gain <= 0 then stored_values.value
        when best_gains.family in ('nDCG', 'nCG')
            then shares.part / filled_ideals.best
        when best_gains.family in ('AP', 'R')
            then shares.part / (shares.best + 1)
        else stored_values.value
    end as value_if_missed

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

left join filled_ideals
    on
        stored_values.run_id = filled_ideals.run_id
        and stored_values.judgment_set_id = filled_ideals.judgment_set_id
        and stored_values.query_id = filled_ideals.query_id
        and stored_values.measure = filled_ideals.measure
        and filled_ideals.filled = 1

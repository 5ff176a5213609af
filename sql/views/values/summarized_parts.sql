-- One row is the value of a registered measure for an evaluation that rests on
-- values of queries, over all judged queries (is_sliced is false) or over those
-- that have one value of an attribute: their mean, or their sum or geometric mean
-- if the measure is one, with the counts that it is based on. Values are added in
-- the order of query ids, so that the result is the same to the last bit with any
-- number of threads.
with parts as (

    select
        false as is_sliced,
        cast(null as varchar) as attribute,
        cast(null as varchar) as slice,
        -- Looked up elsewhere, by stored_weighted_values and evaluations.
        cast(null as double) as weight,
        cast(null as bigint) as retrieved,
        summands.run_id,
        summands.run,
        summands.judgment_set_id,
        summands.query_id,
        summands.measure,
        summands.summary,
        summands.value,
        summands.summand,
        summands.nothing_relevant

    from summands

    union all

    select
        true as is_sliced,
        sliced_queries.attribute,
        sliced_queries.slice,
        sliced_queries.weight,
        sliced_queries.retrieved,
        summands.run_id,
        summands.run,
        summands.judgment_set_id,
        summands.query_id,
        summands.measure,
        summands.summary,
        summands.value,
        summands.summand,
        summands.nothing_relevant

    from sliced_queries

    inner join summands using (run_id, run, judgment_set_id, query_id)

),

sums as (

    select
        parts.is_sliced,
        parts.run_id,
        parts.run,
        parts.judgment_set_id,
        parts.attribute,
        parts.slice,
        parts.measure,
        parts.summary,
        sum(parts.summand order by parts.query_id) as value_sum,
        count(parts.value) as n,
        case
            when parts.summary = 'mean'
                then
                    -- The filters save memory where queries have no weights, as
                    -- an ordered sum keeps its summands, null ones too.
                    sum(parts.value * parts.weight order by parts.query_id)
                    filter (where parts.weight is not null)
                    / nullif(
                        sum(
                            case
                                when parts.value is not null then parts.weight
                            end
                            order by parts.query_id
                        )
                        filter (where parts.weight is not null),
                        0
                    )
        end as weighted_value,
        case
            when parts.summary = 'mean'
                then count(parts.value * parts.weight)
            else 0
        end as weighted_n,
        sum(case when parts.retrieved > 0 then 1 else 0 end) as answered,
        sum(case when parts.retrieved > 0 then 0 else 1 end) as unanswered,
        sum(case when parts.nothing_relevant then 1 else 0 end) as no_relevant,
        case
            when count(parts.value) > 1 and parts.summary = 'mean'
                then
                    stddev_samp(parts.value order by parts.query_id)
                    / sqrt(count(parts.value))
        end as standard_error

    from parts

    group by
        parts.is_sliced,
        parts.run_id,
        parts.run,
        parts.judgment_set_id,
        parts.attribute,
        parts.slice,
        parts.measure,
        parts.summary

)

select
    sums.is_sliced,
    sums.run_id,
    sums.run,
    sums.judgment_set_id,
    sums.attribute,
    sums.slice,
    sums.measure,
    case sums.summary
        when 'sum' then sums.value_sum
        when 'geometric' then exp(sums.value_sum / nullif(sums.n, 0))
        else sums.value_sum / nullif(sums.n, 0)
    end as value,
    sums.weighted_value,
    sums.n,
    sums.weighted_n,
    sums.answered,
    sums.unanswered,
    sums.no_relevant,
    sums.standard_error

from sums

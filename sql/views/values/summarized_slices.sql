-- One row is the value of a registered measure for a slice of an evaluation that
-- rests on values of queries: their mean (or sum, or geometric mean), plain and
-- weighted, with the counts that it is based on.
with sums as (

    select
        sliced_queries.run_id,
        sliced_queries.run,
        sliced_queries.judgment_set_id,
        sliced_queries.attribute,
        sliced_queries.slice,
        summands.measure,
        summands.summary,
        sum(summands.summand order by summands.query_id) as value_sum,
        count(summands.value) as n,
        case
            when summands.summary = 'mean'
                then
                    -- The filters save memory where queries have no weights, as
                    -- an ordered sum keeps its summands, null ones too.
                    sum(
                        summands.value * sliced_queries.weight
                        order by summands.query_id
                    )
                    filter (where sliced_queries.weight is not null)
                    / nullif(
                        sum(
                            case
                                when summands.value is not null
                                    then sliced_queries.weight
                            end
                            order by summands.query_id
                        )
                        filter (where sliced_queries.weight is not null),
                        0
                    )
        end as weighted_value,
        case
            when summands.summary = 'mean'
                then count(summands.value * sliced_queries.weight)
            else 0
        end as weighted_n,
        sum(case when sliced_queries.retrieved > 0 then 1 else 0 end)
            as answered,
        sum(case when sliced_queries.retrieved > 0 then 0 else 1 end)
            as unanswered,
        sum(case when summands.nothing_relevant then 1 else 0 end)
            as no_relevant,
        case
            when
                count(summands.value) > 1
                and summands.summary = 'mean'
                then
                    stddev_samp(
                        summands.value
                        order by summands.query_id
                    )
                    / sqrt(count(summands.value))
        end as standard_error

    from sliced_queries

    inner join summands using (run_id, run, judgment_set_id, query_id)

    group by
        sliced_queries.run_id,
        sliced_queries.run,
        sliced_queries.judgment_set_id,
        sliced_queries.attribute,
        sliced_queries.slice,
        summands.measure,
        summands.summary

)

select
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

-- One row is the value of a registered measure for a group of the judged queries of
-- an evaluation (see query_groups): their mean, plain and weighted, or their sum or
-- geometric mean if the measure is one. Values are added in the order of query ids,
-- so that the result is the same to the last bit with any number of threads.
-- weighted_n is the number of queries with a weight; standard_error is that of a
-- mean.
with sums as (
    select
        summands.run_id, summands.run, summands.judgment_set_id, query_groups.attribute,
        query_groups.slice, summands.measure, summands.summary,
        sum(summands.summand order by summands.query_id) as value_sum,
        count(summands.value) as n,
        -- The filters save memory where queries have no weights, as an ordered sum
        -- keeps its summands, null ones too.
        sum(summands.value * summands.weight order by summands.query_id)
        filter (where summands.weight is not null) as weighted_sum,
        sum(summands.weight order by summands.query_id)
        filter (where summands.weight is not null) as weight_sum,
        count(summands.weight) as weighted_n,
        count(case when summands.nothing_relevant then 1 end) as no_relevant,
        stddev_samp(summands.value order by summands.query_id) as deviation
    from summands
    inner join query_groups using (judgment_set_id, query_id)
    group by all
)

select
    sums.run_id, sums.run, sums.judgment_set_id, sums.attribute, sums.slice, sums.measure,
    case sums.summary
        when 'sum' then sums.value_sum
        when 'geometric' then exp(sums.value_sum / nullif(sums.n, 0))
        else sums.value_sum / nullif(sums.n, 0)
    end as value,
    case
        when sums.summary = 'mean' then sums.weighted_sum / nullif(sums.weight_sum, 0)
    end as weighted_value,
    sums.n,
    case when sums.summary = 'mean' then sums.weighted_n else 0 end as weighted_n,
    coalesce(group_answers.answered, 0) as answered,
    coalesce(group_answers.unanswered, 0) as unanswered,
    sums.no_relevant,
    if(measures.origin is null, group_answers.judged_at_k, null) as judged_at_k,
    case
        when sums.summary = 'mean' and sums.n > 1 then sums.deviation / sqrt(sums.n)
    end as standard_error
from sums
inner join measures using (measure)
left join group_answers
    on
        sums.run_id = group_answers.run_id
        and sums.run = group_answers.run
        and sums.judgment_set_id = group_answers.judgment_set_id
        and sums.attribute is not distinct from group_answers.attribute
        and sums.slice is not distinct from group_answers.slice
        and coalesce(measures.cutoff, 10) = group_answers.depth

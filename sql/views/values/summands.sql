-- One row is the value of a registered measure for a judged query, with the
-- summand that the value of a run is computed from: the value itself if that is
-- a mean or a sum, its logarithm if it is a geometric mean. Both are null if
-- the measure omits the query. weight is that of the query, if it has one.
with weights as (
    select
        queries.dataset, queries.query_id, queries.weight
    from queries
    where queries.weight is not null
)

select
    stored_values.run_id,
    runs.name as run,
    stored_values.judgment_set_id, stored_values.query_id, stored_values.measure, measures.summary,
    measures.lower_is_better,
    stored_values.value,
    case
        when measures.summary <> 'geometric' then stored_values.value
        -- A value of 0 would make the geometric mean of all values 0
        -- (trec_eval).
        when stored_values.value <= 0.00001 then ln(0.00001)
        else ln(stored_values.value)
    end as summand,
    case when stored_values.value is not null then weights.weight end as weight,
    stored_values.nothing_relevant
from stored_values
inner join runs using (run_id)
inner join measures using (measure)
left join weights using (dataset, query_id)

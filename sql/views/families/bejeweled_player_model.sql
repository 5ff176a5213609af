-- BPM@k, Bejeweled Player Model (static): the mean gain of the documents down
-- to the one with which the reader has gained T, or to position k (Zhang, Liu,
-- Li, Zhang, Xu & Ma 2017, SIGIR).
with reached as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        scaled_gains.position,
        scaled_gains.gain,
        sum(scaled_gains.gain) over (
            partition by
                scaled_gains.run_id,
                scaled_gains.judgment_set_id,
                scaled_gains.query_id,
                scaled_gains.measure
            order by scaled_gains.position
            rows between unbounded preceding and current row
        ) as gain_sum

    from scaled_gains

    where scaled_gains.family = 'BPM'

),

-- The last bits of a running sum can vary. The running sum therefore only
-- selects the few positions where T can be reached; sums that are added in
-- order decide which of them it is.
places as (

    select
        reached.run_id,
        reached.judgment_set_id,
        reached.query_id,
        reached.measure,
        reached.position,
        scaled_measures.t

    from reached

    inner join scaled_measures using (measure)

    where
        reached.gain_sum >= scaled_measures.t * (1 - 1e-9)
        and reached.gain_sum - reached.gain < scaled_measures.t * (1 + 1e-9)

    union all

    select
        scaled_queries.run_id,
        scaled_queries.judgment_set_id,
        scaled_queries.query_id,
        scaled_queries.measure,
        scaled_measures.depth as position,
        0 as t

    from scaled_queries

    inner join scaled_measures using (measure)

    where scaled_queries.family = 'BPM'

),

sums as (

    select
        places.run_id,
        places.judgment_set_id,
        places.query_id,
        places.measure,
        places.position,
        places.t,
        sum(reached.gain order by reached.position) as gain_sum

    from places

    inner join reached using (run_id, judgment_set_id, query_id, measure)

    where places.position >= reached.position

    group by
        places.run_id,
        places.judgment_set_id,
        places.query_id,
        places.measure,
        places.position,
        places.t

),

stops as (

    select
        sums.run_id,
        sums.judgment_set_id,
        sums.query_id,
        sums.measure,
        sums.gain_sum / sums.position as mean_gain,
        row_number() over (
            partition by
                sums.run_id,
                sums.judgment_set_id,
                sums.query_id,
                sums.measure
            order by sums.position
        ) as stop

    from sums

    where sums.gain_sum >= sums.t

)

select
    scaled_queries.run_id,
    scaled_queries.judgment_set_id,
    scaled_queries.query_id,
    scaled_queries.measure,
    scaled_queries.retrieved,
    coalesce(stops.mean_gain, 0) as value,
    scaled_queries.nothing_relevant

from scaled_queries

left join stops
    on
        scaled_queries.run_id = stops.run_id
        and scaled_queries.judgment_set_id = stops.judgment_set_id
        and scaled_queries.query_id = stops.query_id
        and scaled_queries.measure = stops.measure
        and stops.stop = 1

where scaled_queries.family = 'BPM'

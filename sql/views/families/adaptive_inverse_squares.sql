-- INST: as INSQ, but the reader, who expects T perfect documents, wants less
-- after each gain. After position i, the share ((a - 1) / a)^2 of readers goes
-- on, where a is i + 2T minus the gains so far, down to position 1000 (Bailey,
-- Moffat, Scholer & Thomas 2015, SIGIR).
with gained as (

    select
        adaptive_examinations.run_id,
        adaptive_examinations.judgment_set_id,
        adaptive_examinations.query_id,
        adaptive_examinations.measure,
        sum(
            adaptive_examinations.gain
            * adaptive_examinations.scale_before
            / power(adaptive_examinations.want_before, 2)
            order by adaptive_examinations.position
        ) as gain_sum,
        max(adaptive_examinations.t) as t,
        -- Both become smaller with each gain, so the minimum is the last.
        min(adaptive_examinations.scale_after) as last_scale,
        min(adaptive_examinations.want_at_end) as want_at_end

    from adaptive_examinations

    group by
        adaptive_examinations.run_id,
        adaptive_examinations.judgment_set_id,
        adaptive_examinations.query_id,
        adaptive_examinations.measure

),

-- In a stretch without gains, the weights are scale / want^2, where want grows
-- by 1 per position. Their sum is the scale times the sum of all inverse
-- squares from the first want on, minus that from the end of the stretch on.
ends as (

    select
        gained.run_id,
        gained.judgment_set_id,
        gained.query_id,
        gained.measure,
        case sides.side when 'first' then 0 else 1000000 end as place,
        case sides.side
            when 'first' then 4 * gained.t * gained.t
            else -gained.last_scale
        end as scale,
        case sides.side
            when 'first' then 2 * gained.t
            else gained.want_at_end
        end as want

    from gained

    cross join (values ('first'), ('last')) as sides (side)

    union all

    select
        adaptive_examinations.run_id,
        adaptive_examinations.judgment_set_id,
        adaptive_examinations.query_id,
        adaptive_examinations.measure,
        2 * adaptive_examinations.position
        + case sides.side when 'before' then 0 else 1 end as place,
        case sides.side
            when 'before' then -adaptive_examinations.scale_before
            else adaptive_examinations.scale_after
        end as scale,
        case sides.side
            when 'before' then adaptive_examinations.want_before + 1
            else adaptive_examinations.want_after + 1
        end as want

    from adaptive_examinations

    cross join (values ('before'), ('after')) as sides (side)

),

-- The sum of all inverse squares from want on is the trigamma function: eight
-- of its terms, and its asymptotic series (Abramowitz & Stegun 1964, 6.4.12)
-- for the rest.
weights as (

    select
        ends.run_id,
        ends.judgment_set_id,
        ends.query_id,
        ends.measure,
        sum(
            ends.scale * (
                1 / power(ends.want, 2)
                + 1 / power(ends.want + 1, 2)
                + 1 / power(ends.want + 2, 2)
                + 1 / power(ends.want + 3, 2)
                + 1 / power(ends.want + 4, 2)
                + 1 / power(ends.want + 5, 2)
                + 1 / power(ends.want + 6, 2)
                + 1 / power(ends.want + 7, 2)
                + 1 / (ends.want + 8)
                + 1 / (2 * power(ends.want + 8, 2))
                + 1 / (6 * power(ends.want + 8, 3))
                - 1 / (30 * power(ends.want + 8, 5))
                + 1 / (42 * power(ends.want + 8, 7))
                - 1 / (30 * power(ends.want + 8, 9))
                + 5 / (66 * power(ends.want + 8, 11))
                - 691 / (2730 * power(ends.want + 8, 13))
            )
            order by ends.place
        ) as weight_sum

    from ends

    group by
        ends.run_id,
        ends.judgment_set_id,
        ends.query_id,
        ends.measure

)

select
    scaled_queries.run_id,
    scaled_queries.judgment_set_id,
    scaled_queries.query_id,
    scaled_queries.measure,
    scaled_queries.retrieved,
    coalesce(gained.gain_sum / weights.weight_sum, 0) as value,
    scaled_queries.nothing_relevant

from scaled_queries

left join gained using (run_id, judgment_set_id, query_id, measure)

left join weights using (run_id, judgment_set_id, query_id, measure)

where scaled_queries.family = 'INST'

-- One row is a hole under a measure, as the last of those that are filled with
-- documents of the largest grade, from the top of the ranking (from_top) or
-- from its end: how many are filled then, and what they add together.
with numbered as (

    select
        hole_places.run_id,
        hole_places.judgment_set_id,
        hole_places.query_id,
        hole_places.measure,
        hole_places.family,
        hole_places.position,
        hole_places.added,
        hole_places.is_within,
        case
            when hole_places.is_within and hole_places.family = 'AP'
                then 1 / hole_places.position
            else 0
        end as own_weight,
        row_number() over (
            partition by
                hole_places.run_id,
                hole_places.judgment_set_id,
                hole_places.query_id,
                hole_places.measure
            order by hole_places.position
        ) as number_down,
        row_number() over (
            partition by
                hole_places.run_id,
                hole_places.judgment_set_id,
                hole_places.query_id,
                hole_places.measure
            order by hole_places.position desc
        ) as number_up

    from hole_places

    inner join best_gains
        on
            hole_places.judgment_set_id = best_gains.judgment_set_id
            and hole_places.measure = best_gains.measure

    where best_gains.gain > 0

),

-- A relevant document makes the precision at each one below it higher.
supported as (

    select
        numbered.run_id,
        numbered.judgment_set_id,
        numbered.query_id,
        numbered.measure,
        numbered.family,
        numbered.position,
        numbered.is_within,
        numbered.number_down,
        numbered.number_up,
        numbered.added
        + numbered.own_weight * (numbered.number_down - 1) as added_down,
        numbered.added
        + coalesce(
            sum(numbered.own_weight) over (
                partition by
                    numbered.run_id,
                    numbered.judgment_set_id,
                    numbered.query_id,
                    numbered.measure
                order by numbered.position desc
                rows between unbounded preceding and 1 preceding
            ),
            0
        )
        * case when numbered.own_weight > 0 then 1 else 0 end as added_up

    from numbered

)

select
    supported.run_id,
    supported.judgment_set_id,
    supported.query_id,
    supported.measure,
    supported.family,
    supported.is_within,
    true as from_top,
    supported.number_down as filled,
    sum(supported.added_down) over (
        partition by
            supported.run_id,
            supported.judgment_set_id,
            supported.query_id,
            supported.measure
        order by supported.position
        rows between unbounded preceding and current row
    ) as added

from supported

union all

select
    supported.run_id,
    supported.judgment_set_id,
    supported.query_id,
    supported.measure,
    supported.family,
    supported.is_within,
    false as from_top,
    supported.number_up as filled,
    sum(supported.added_up) over (
        partition by
            supported.run_id,
            supported.judgment_set_id,
            supported.query_id,
            supported.measure
        order by supported.position desc
        rows between unbounded preceding and current row
    ) as added

from supported

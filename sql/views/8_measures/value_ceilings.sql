-- One row is the highest value that a judged query of an evaluation can have
-- if holes of the run are filled. Mostly that is with documents of the best
-- grade, from the top. Under a measure that is a share of the ideal, a better
-- document belongs in a higher hole, and the best gain of each is 0 or one
-- that the query has already: between two of these, the share is a fraction of
-- linear terms. The best share is that from which no other choice leads to a
-- higher one (Dinkelbach 1967, Management Science 13(7)); few steps find it.
with recursive fillings as materialized (

    select
        level_fillings.run_id,
        level_fillings.judgment_set_id,
        level_fillings.query_id,
        level_fillings.measure,
        level_fillings.gain,
        level_fillings.filled,
        level_fillings.is_last,
        level_fillings.part,
        level_fillings.best

    from level_fillings

),

undecided as (

    select distinct
        fillings.run_id,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure

    from fillings

    where not fillings.is_last

),

choices as materialized (

    select
        fillings.run_id,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.gain,
        fillings.filled,
        fillings.part,
        fillings.best

    from fillings

    inner join undecided
        on
            fillings.run_id = undecided.run_id
            and fillings.judgment_set_id = undecided.judgment_set_id
            and fillings.query_id = undecided.query_id
            and fillings.measure = undecided.measure

),

-- All holes are filled at first.
climbs as (

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        value_parts.part,
        (value_parts.part + sum(fillings.part)) / nullif(sum(fillings.best), 0)
            as ceiling

    from value_parts

    inner join fillings
        on
            value_parts.run_id = fillings.run_id
            and value_parts.judgment_set_id = fillings.judgment_set_id
            and value_parts.query_id = fillings.query_id
            and value_parts.measure = fillings.measure

    where fillings.is_last

    group by
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        value_parts.part

    union all

    select
        chosen.run_id,
        chosen.judgment_set_id,
        chosen.query_id,
        chosen.measure,
        chosen.part,
        (chosen.part + sum(chosen.level_part)) / nullif(sum(chosen.best), 0)
            as ceiling

    from (

        select
            climbs.run_id,
            climbs.judgment_set_id,
            climbs.query_id,
            climbs.measure,
            climbs.part,
            climbs.ceiling,
            choices.part as level_part,
            choices.best,
            row_number() over (
                partition by
                    climbs.run_id,
                    climbs.judgment_set_id,
                    climbs.query_id,
                    climbs.measure,
                    choices.gain
                order by
                    choices.part
                    - climbs.ceiling * choices.best desc,
                    choices.filled desc
            ) as choice

        from climbs

        inner join choices
            on
                climbs.run_id = choices.run_id
                and climbs.judgment_set_id = choices.judgment_set_id
                and climbs.query_id = choices.query_id
                and climbs.measure = choices.measure

    ) as chosen

    where chosen.choice = 1

    group by
        chosen.run_id,
        chosen.judgment_set_id,
        chosen.query_id,
        chosen.measure,
        chosen.part,
        chosen.ceiling

    having
        (chosen.part + sum(chosen.level_part)) / nullif(sum(chosen.best), 0)
        > chosen.ceiling + 1e-13

),

peaks as (

    select
        climbs.run_id,
        climbs.judgment_set_id,
        climbs.query_id,
        climbs.measure,
        climbs.ceiling

    from climbs

    union all

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        case
            when value_parts.family in ('AP', 'R')
                then
                    (value_parts.part + gap_sums.added)
                    / (
                        value_parts.best
                        + gap_sums.holes_above
                        + gap_sums.within
                    )
            when value_parts.family in ('RR', 'Success') then gap_sums.worth
            else (value_parts.part + gap_sums.added) / value_parts.best
        end as ceiling

    from gap_sums

    inner join value_parts
        on
            gap_sums.run_id = value_parts.run_id
            and gap_sums.judgment_set_id = value_parts.judgment_set_id
            and gap_sums.query_id = value_parts.query_id
            and gap_sums.measure = value_parts.measure

    where
        gap_sums.family not in ('nDCG', 'nCG')
        and gap_sums.within > 0

)

select
    peaks.run_id,
    peaks.judgment_set_id,
    peaks.query_id,
    peaks.measure,
    max(peaks.ceiling) as ceiling

from peaks

group by
    peaks.run_id,
    peaks.judgment_set_id,
    peaks.query_id,
    peaks.measure

-- One row is the highest value that a judged query of an evaluation can have
-- under a measure that is a share of the ideal, whatever grades the holes of
-- the run get, from 0 to the largest of the judgment set. A better document
-- belongs in a higher hole, and the best gain of each is 0 or one that the
-- query has already: between two of these, the share is a fraction of linear
-- terms. The best share is that from which no other choice leads to a higher
-- one (Dinkelbach 1967, Management Science 13(7)); few steps find it.
with recursive climbs as (

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        value_parts.part,
        value_parts.value as ceiling

    from value_parts

    where value_parts.family in ('nDCG', 'nCG')

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
            level_fillings.part as level_part,
            level_fillings.best,
            row_number() over (
                partition by
                    climbs.run_id,
                    climbs.judgment_set_id,
                    climbs.query_id,
                    climbs.measure,
                    level_fillings.gain
                order by
                    level_fillings.part
                    - climbs.ceiling * level_fillings.best desc,
                    level_fillings.filled desc
            ) as choice

        from climbs

        inner join level_fillings
            on
                climbs.run_id = level_fillings.run_id
                and climbs.judgment_set_id = level_fillings.judgment_set_id
                and climbs.query_id = level_fillings.query_id
                and climbs.measure = level_fillings.measure

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

)

select
    climbs.run_id,
    climbs.judgment_set_id,
    climbs.query_id,
    climbs.measure,
    max(climbs.ceiling) as ceiling

from climbs

group by
    climbs.run_id,
    climbs.judgment_set_id,
    climbs.query_id,
    climbs.measure

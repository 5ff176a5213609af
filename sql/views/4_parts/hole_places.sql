-- One row is a hole (see holes) under a measure, with what a document of the
-- largest grade would add there to what the measure adds up: nothing beyond
-- the cutoff. found and later_weight serve AP: the relevant documents above
-- the hole, and the sum of 1 / position of those below it.
with relevant as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        relevant_hits.position,
        1 as is_relevant

    from relevant_hits

    where relevant_hits.family = 'AP'

),

listed as (

    select
        holes.run_id,
        holes.judgment_set_id,
        holes.query_id,
        best_gains.measure,
        holes.position,
        0 as is_relevant,
        holes.doc_id,
        best_gains.family,
        best_gains.gain,
        coalesce(holes.position <= best_gains.cutoff, true) as is_within

    from holes

    inner join best_gains
        on holes.judgment_set_id = best_gains.judgment_set_id

    union all

    select
        relevant.run_id,
        relevant.judgment_set_id,
        relevant.query_id,
        relevant.measure,
        relevant.position,
        relevant.is_relevant,
        cast(null as varchar) as doc_id,
        'AP' as family,
        0 as gain,
        true as is_within

    from relevant

),

surrounded as (

    select
        listed.run_id,
        listed.judgment_set_id,
        listed.query_id,
        listed.measure,
        listed.family,
        listed.position,
        listed.doc_id,
        listed.gain,
        listed.is_within,
        listed.is_relevant,
        coalesce(sum(listed.is_relevant) over above, 0) as found,
        coalesce(
            sum(listed.is_relevant / listed.position) over below, 0
        ) as later_weight

    from listed

    window
        above as (
            partition by
                listed.run_id,
                listed.judgment_set_id,
                listed.query_id,
                listed.measure
            order by listed.position
            rows between unbounded preceding and 1 preceding
        ),
        below as (
            partition by
                listed.run_id,
                listed.judgment_set_id,
                listed.query_id,
                listed.measure
            order by listed.position desc
            rows between unbounded preceding and 1 preceding
        )

)

select
    surrounded.run_id,
    surrounded.judgment_set_id,
    surrounded.query_id,
    surrounded.measure,
    surrounded.family,
    surrounded.doc_id,
    surrounded.position,
    surrounded.found,
    surrounded.later_weight,
    surrounded.gain
    * case
        when not surrounded.is_within then 0
        when surrounded.family = 'P'
            then 1 / coalesce(measures.cutoff, run_queries.retrieved)
        when surrounded.family = 'AP'
            then
                (surrounded.found + 1) / surrounded.position
                + surrounded.later_weight
        when surrounded.family in ('Success', 'R') then 1
        when surrounded.family = 'RR' then 1 / surrounded.position
        when surrounded.family = 'RBP'
            then (1 - measures.p) * power(measures.p, surrounded.position - 1)
        else 1 / place_discounts.discount
    end as added,
    surrounded.is_within and surrounded.gain > 0 as is_within

from surrounded

inner join measures
    on surrounded.measure = measures.measure

inner join run_queries
    on
        surrounded.run_id = run_queries.run_id
        and surrounded.query_id = run_queries.query_id

left join place_discounts
    on
        surrounded.measure = place_discounts.measure
        and surrounded.position = place_discounts.place

where surrounded.is_relevant = 0

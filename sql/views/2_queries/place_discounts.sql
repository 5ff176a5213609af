-- One row is a place of a ranking under a measure of the gain family, as deep
-- as any run and any ideal ranking with its holes filled: the discount there
-- (see discounted_gains; 1 where the measure does not discount), and what one
-- gain at each place down to here would add up to.
with ideal_places as (

    select distinct
        row_number() over (
            partition by
                judgments.judgment_set_id,
                judgments.query_id
        ) as place

    from judgments

),

deepest as (

    select coalesce(max(positions.position), 0) as place

    from positions

),

places as (

    select positions.position as place

    from positions

    union all

    select deepest.place + ideal_places.place as place

    from ideal_places

    cross join deepest

),

discounts as (

    select
        gain_measures.measure,
        places.place,
        case
            when gain_measures.family in ('CG', 'nCG') then 1
            when gain_measures.dcg in ('log2', 'exp-log2')
                then
                    case
                        when gain_measures.base = 2 then log2(places.place + 1)
                        else ln(places.place + 1) / ln(gain_measures.base)
                    end
            when places.place < gain_measures.base then 1
            when gain_measures.base = 2 then log2(places.place)
            else ln(places.place) / ln(gain_measures.base)
        end as discount

    from gain_measures

    inner join places
        on
            gain_measures.cutoff is null
            or gain_measures.cutoff >= places.place

    where gain_measures.family in ('nDCG', 'DCG', 'nCG', 'CG')

)

select
    discounts.measure,
    discounts.place,
    discounts.discount,
    sum(1 / discounts.discount) over (
        partition by discounts.measure
        order by discounts.place
        rows between unbounded preceding and current row
    ) as discount_sum

from discounts

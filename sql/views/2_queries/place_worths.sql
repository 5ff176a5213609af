-- One row is a place of a ranking under a measure, as deep as any run and any
-- ideal ranking with its holes filled: what one gain, or one relevant
-- document, is worth there, and at all places down to here. Place 0 is the
-- one above all. What AP makes of it depends on the documents above, too.
with longest as (

    select
        judged_queries.judgment_set_id,
        judged_queries.query_id

    from judged_queries

    order by
        judged_queries.judgment_count desc,
        judged_queries.judgment_set_id asc,
        judged_queries.query_id asc

    limit 1

),

deepest as (

    select coalesce(max(positions.position), 0) as place

    from positions

),

places as (

    select positions.position as place

    from positions

    union all

    select
        deepest.place
        + row_number() over (order by judgments.doc_id) as place

    from judgments

    inner join longest
        on
            judgments.judgment_set_id = longest.judgment_set_id
            and judgments.query_id = longest.query_id

    cross join deepest

),

worths as (

    select
        measures.measure,
        places.place,
        case
            when measures.family in ('CG', 'nCG', 'P', 'R', 'Success') then 1
            when measures.family in ('AP', 'RR') then 1 / places.place
            when measures.family = 'RBP'
                then (1 - measures.p) * power(measures.p, places.place - 1)
            when measures.dcg in ('log2', 'exp-log2')
                then
                    case
                        when gain_measures.base = 2
                            then 1 / log2(places.place + 1)
                        else ln(gain_measures.base) / ln(places.place + 1)
                    end
            when places.place < gain_measures.base then 1
            when gain_measures.base = 2 then 1 / log2(places.place)
            else ln(gain_measures.base) / ln(places.place)
        end as worth

    from measures

    inner join places
        on
            measures.cutoff is null
            or measures.cutoff >= places.place

    left join gain_measures
        on measures.measure = gain_measures.measure

    where
        measures.family in ('nDCG', 'DCG', 'nCG', 'CG')
        or measures.family in ('P', 'R', 'AP', 'RR', 'Success', 'RBP')

)

select
    worths.measure,
    worths.place,
    worths.worth,
    sum(worths.worth) over (
        partition by worths.measure
        order by worths.place
        rows between unbounded preceding and current row
    ) as worth_sum

from worths

union all

select
    measures.measure,
    0 as place,
    0 as worth,
    0 as worth_sum

from measures

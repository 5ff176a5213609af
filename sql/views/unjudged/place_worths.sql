-- One row is a position of a ranking under a measure: what one unit of gain, or
-- one relevant document, adds there (worth) and at all positions down to it
-- (worth_sum). Positions go as deep as any run and any ideal ranking whose
-- unjudged documents are filled. Place 0 is above the first position. Under AP,
-- what a document adds also depends on the documents above it.
with longest as (

    select
        judged_queries.judgment_set_id,
        judged_queries.query_id

    from judged_queries

    order by
        judged_queries.judged_documents desc,
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

    inner join longest using (judgment_set_id, query_id)

    cross join deepest

),

worths as (

    select
        measures.measure,
        places.place,
        case
            when bounded_families.worth_rule = 'one' then 1
            when
                bounded_families.worth_rule in ('precision', 'reciprocal')
                then 1 / places.place
            when bounded_families.worth_rule = 'persistence'
                then (1 - measures.p) * power(measures.p, places.place - 1)
            when measures.dcg_kind in ('log2', 'exp-log2')
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

    inner join bounded_families using (family)

    inner join places
        on
            measures.cutoff is null
            or measures.cutoff >= places.place

    left join gain_measures using (measure)

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

-- The share of the sum of the scores of a query, after the least is taken off;
-- if all are equal, each has the same share. Scores are first scaled from 0 to
-- 1, which changes no share, and added up as whole numbers, of 2^-62 each: such
-- a sum is exact, and the same in whatever order threads add it.
with scaled as not materialized (

    select
        fused_entries.place,
        fused_entries.weight,
        fused_entries.query_id,
        fused_entries.doc_id,
        case
            when fused_ranges.greatest > fused_ranges.least
                then
                    (fused_entries.score - fused_ranges.least)
                    / (fused_ranges.greatest - fused_ranges.least)
            else 1
        end as scaled_score

    from fused_entries

    inner join fused_ranges using (place, query_id)

),

totals as (

    select
        scaled.place,
        scaled.query_id,
        sum(cast(scaled.scaled_score * power(2, 62) as bigint))
        / power(2, 62) as total

    from scaled

    group by
        scaled.place,
        scaled.query_id

)

select
    scaled.place,
    scaled.weight,
    scaled.query_id,
    scaled.doc_id,
    scaled.scaled_score / totals.total as term

from scaled

inner join totals using (place, query_id)

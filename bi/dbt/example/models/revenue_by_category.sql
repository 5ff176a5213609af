-- Where would a better ranking pay? A query whose first ten documents are ideal
-- has nDCG@10 = 1; what it lacks, times its revenue, is the revenue at stake.
with judged as (

    select
        dataset,
        judgment_set,
        run,
        query_id,
        value

    from {{ source('ndcg_sql', 'query_values') }}

    where measure = 'nDCG@10'

),

categories as (

    select
        dataset,
        query_id,
        attribute_value as category

    from {{ source('ndcg_sql', 'query_attributes') }}

    where attribute = 'category'

)

select
    judged.dataset,
    judged.judgment_set,
    judged.run,
    categories.category,
    count(*) as queries,
    count(query_revenue.query_id) as queries_with_revenue,
    avg(judged.value) as ndcg,
    sum(query_revenue.revenue) as revenue,
    sum(judged.value * query_revenue.revenue)
    / nullif(sum(query_revenue.revenue), 0) as ndcg_by_revenue,
    sum((1 - judged.value) * query_revenue.revenue) as revenue_at_stake

from judged

left join categories
    on
        judged.dataset = categories.dataset
        and judged.query_id = categories.query_id

left join {{ ref('query_revenue') }} as query_revenue
    on
        judged.dataset = query_revenue.dataset
        and judged.query_id = query_revenue.query_id

group by
    judged.dataset,
    judged.judgment_set,
    judged.run,
    categories.category

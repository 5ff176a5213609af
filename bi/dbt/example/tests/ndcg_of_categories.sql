-- The categories whose mean differs from the published one: a join that repeats
-- or loses queries would show here.
select
    revenue_by_category.run,
    revenue_by_category.category,
    revenue_by_category.ndcg,
    slice_values.value

from {{ ref('revenue_by_category') }} as revenue_by_category

left join {{ source('ndcg_sql', 'slice_values') }} as slice_values
    on
        revenue_by_category.dataset = slice_values.dataset
        and revenue_by_category.judgment_set = slice_values.judgment_set
        and revenue_by_category.run = slice_values.run
        and revenue_by_category.category = slice_values.attribute_value
        and slice_values.attribute = 'category'
        and slice_values.measure = 'nDCG@10'

where
    revenue_by_category.category is not null
    and (
        slice_values.value is null
        or abs(revenue_by_category.ndcg - slice_values.value) > 1e-12
    )

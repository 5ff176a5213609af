-- The attributes of the queries of a file, and what their values could be: texts, if
-- most queries have their own, and weights, if all are numbers from 0.
select
    query_attributes.attribute,
    2 * count(distinct query_attributes.attribute_value) > count(*) as may_be_text,
    bool_and(
        coalesce(try_cast(query_attributes.attribute_value as double) >= 0, false)
    ) as may_be_weight
from query_attributes
semi join staged using (query_id)
where query_attributes.dataset = $dataset and list_contains($attributes, query_attributes.attribute)
group by query_attributes.attribute
order by list_position($attributes, query_attributes.attribute)

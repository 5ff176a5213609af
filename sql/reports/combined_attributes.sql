-- One row is a query with its values of the requested attributes, combined into
-- one attribute: a JSON array of the values, null where one is not known.
with asked as (
    select
        unnest($attributes) as attribute,
        generate_subscripts($attributes, 1) as place
),

known as (
    select distinct
        query_attributes.dataset, query_attributes.query_id
    from query_attributes
    inner join asked using (attribute)
)

select
    known.dataset, known.query_id,
    cast(to_json($attributes) as varchar) as attribute,
    cast(
        to_json(list(query_attributes.attribute_value order by asked.place)) as varchar
    ) as attribute_value
from known
cross join asked
left join query_attributes using (dataset, query_id, attribute)
group by all

-- query {query_id}: {attribute} is {attribute_value}, but {first_value} on {unit} {first_line}
with first_values as (
    select
        staged_attributes.query_id, staged_attributes.attribute,
        min(staged_attributes.line_number) as first_line,
        min_by(staged_attributes.attribute_value, staged_attributes.line_number) as first_value
    from staged_attributes
    group by all
)

select
    staged_attributes.line_number, staged_attributes.query_id, staged_attributes.attribute,
    staged_attributes.attribute_value, first_values.first_value, first_values.first_line,
    $unit as unit
from staged_attributes
inner join first_values using (query_id, attribute)
where staged_attributes.attribute_value <> first_values.first_value

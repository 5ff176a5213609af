-- The keys that several rows have. Two nulls are equal, as in a group.
{% test unique_key(model, columns) %}

select
    {{ columns | join(',\n    ') }},
    count(*) as row_count

from {{ model }}

group by {{ columns | join(', ') }}

having count(*) > 1

{% endtest %}

-- One row is the value of a printed line for a judged query: that of its
-- measure or the mean of its measures, and 0 if a measure that it needs is 0.
-- For a geometric mean, it is the logarithm of the value.
create or replace temp table topic_values as
with parts as (
    select
        printed_lines.line, printed_lines.measure, printed_lines.needs, printed_lines.summary,
        printed_lines.rowid as place,
        count(*) over (partition by printed_lines.line) > 1 as is_one_of_several
    from printed_lines
),

part_values as (
    select
        parts.line, stored_values.query_id, parts.place, parts.is_one_of_several,
        case
            when needed.value = 0 then 0
            when parts.summary = 'geometric' then ln(greatest(stored_values.value, 0.00001))
            else stored_values.value
        end as value
    from parts
    inner join stored_values using (measure)
    left join stored_values as needed
        on
            parts.needs = needed.measure
            and stored_values.run_id = needed.run_id
            and stored_values.query_id = needed.query_id
    where stored_values.run_id = $run_id
)

select
    part_values.line, part_values.query_id, part_values.value
from part_values
where not part_values.is_one_of_several
union all
select
    part_values.line, part_values.query_id,
    sum(part_values.value order by part_values.place) / count(*) as value
from part_values
where part_values.is_one_of_several
group by part_values.line, part_values.query_id

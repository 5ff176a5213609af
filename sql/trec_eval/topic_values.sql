-- One row is the value of a line that is printed for a judged query: that of
-- its measure, or the mean of several, and 0 where a measure that it needs is
-- 0. Of a geometric mean it is the logarithm.
create or replace temp table topic_values as
select
    printed_lines.line,
    stored_values.query_id,
    sum(
        case
            when needed.value = 0 then 0
            when printed_lines.summary = 'geometric'
                then ln(greatest(stored_values.value, 0.00001))
            else stored_values.value
        end
        order by printed_lines.rowid
    )
    / count(*) as value

from printed_lines

inner join stored_values
    on printed_lines.measure = stored_values.measure

left join stored_values as needed
    on
        printed_lines.needs = needed.measure
        and stored_values.run_id = needed.run_id
        and stored_values.query_id = needed.query_id

where stored_values.run_id = $run_id

group by
    printed_lines.line,
    stored_values.query_id

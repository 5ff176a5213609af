-- One row is the value of a printed line for all queries together; a query that
-- is counted but not printed has the value 0.
with summaries as (
    select distinct
        printed_lines.line, printed_lines.summary
    from printed_lines
),

shown as (
    select unnest(cast($topics as varchar[])) as query_id
),

sums as (
    select
        topic_values.line,
        sum(topic_values.value order by topic_values.query_id) as value_sum,
        count(*) as printed
    from topic_values
    inner join shown using (query_id)
    group by topic_values.line
)

select
    sums.line,
    case summaries.summary
        when 'sum' then sums.value_sum
        when 'geometric'
            then exp((sums.value_sum + ($topic_count - sums.printed) * ln(0.00001)) / $topic_count)
        else sums.value_sum / $topic_count
    end as value
from sums
inner join summaries using (line)

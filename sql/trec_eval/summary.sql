-- One row is the value of a line that is printed for all queries together.
with summaries as (

    select distinct
        printed_lines.line,
        printed_lines.summary

    from printed_lines

),

sums as (

    select
        topic_values.line,
        sum(topic_values.value order by topic_values.query_id) as value_sum

    from topic_values

    where list_contains($topics, topic_values.query_id)

    group by topic_values.line

)

select
    sums.line,
    case summaries.summary
        when 'sum' then sums.value_sum
        when 'geometric' then exp(sums.value_sum / $topic_count)
        else sums.value_sum / $topic_count
    end as value

from sums

inner join summaries
    on sums.line = summaries.line

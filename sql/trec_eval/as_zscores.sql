-- A value is replaced by its distance from a mean, in standard deviations. It
-- becomes -1000000 if the mean is not known, or if the value has no such
-- distance (trec_eval).
update topic_values
set
    value = case
        when scored.mean is null then -1000000
        when scored.deviation <> 0 then (topic_values.value - scored.mean) / scored.deviation
        when topic_values.value = scored.mean then 0
        else -1000000
    end
from (
    select distinct
        topic_values.line, topic_values.query_id, zscores.mean, zscores.deviation
    from topic_values
    inner join printed_lines using (line)
    left join zscores using (query_id, name)
) as scored
where topic_values.line = scored.line and topic_values.query_id = scored.query_id

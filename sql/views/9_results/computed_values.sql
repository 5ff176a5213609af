-- One row is the value of a registered measure for a judged query of an
-- evaluation. An unanswered query counts 0, and so does one with nothing
-- relevant, unless the measure's options missing and no_rel say otherwise;
-- where they leave the query out, the value is null. The table stored_values
-- keeps these rows.
select
    family_values.run_id,
    family_values.judgment_set_id,
    family_values.measure,
    family_values.query_id,
    case
        when family_values.retrieved = 0 and measures.missing = 'omit'
            then null
        when not family_values.no_relevant then family_values.value
        when measures.no_rel = 'omit' then null
        when measures.no_rel = '1' then 1
        else 0
    end as value,
    family_values.no_relevant

from family_values

inner join measures
    on family_values.measure = measures.measure

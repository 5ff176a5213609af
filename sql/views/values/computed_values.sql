-- One row is the value of a registered measure for a judged query of an
-- evaluation, if the measure fits the judgment set (see fitting_measures). An unanswered query has the value of an empty ranking, which is 0
-- for most families, and a query with nothing relevant has the value 0, unless
-- the options missing and no_rel of the measure decide otherwise. If they omit
-- the query, the value is null. The table stored_values stores these rows.
select
    family_values.run_id,
    family_values.judgment_set_id,
    family_values.measure,
    family_values.query_id,
    case
        when family_values.retrieved = 0 and measures.missing = 'omit'
            then null
        when not family_values.nothing_relevant then family_values.value
        when measures.no_rel = 'omit' then null
        when measures.no_rel = '1' then 1
        else 0
    end as value,
    family_values.nothing_relevant

from family_values

inner join measures using (measure)

inner join fitting_measures using (judgment_set_id, measure)

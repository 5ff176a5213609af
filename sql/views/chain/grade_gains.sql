-- One row is what a grade of a judgment set is worth on a basis. A negative grade (in the pool, but
-- not judged) and one below rel gain nothing. A gain whose sums would not be finite is null: such a
-- measure does not fit the set (see misfits).
select
    judgment_set_id, grade, basis,
    case
        when gain_scheme = 'not relevant' then if(grade >= 0 and grade < rel, 1, 0)
        when grade < greatest(rel, 0) then 0
        when gain_scheme in ('binary', 'judged') then 1
        when gain_scheme = 'exp' then if(grade <= 996, power(2, grade) - 1, null)
        when gain_scheme = 'satisfaction' then (power(2, grade) - 1) / power(2, max_rel)
        when gain_scheme = 'scaled'
            then greatest(0, least(1, (grade - min_rel) / (max_rel - min_rel)))
        when abs(coalesce(gain, grade)) <= 1e300 then coalesce(gain, grade)
    end as gain
from (select distinct judgment_set_id, grade from judgments) as grades
cross join bases
left join gains using (gain_scheme, grade)
where reads = 'judgments'

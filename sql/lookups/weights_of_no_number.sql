-- The distinct texts given as weights that are no numbers. Lines that break an
-- earlier check are omitted.
with faults as (

    select
        bad_lines.line_number,
        arg_min(bad_lines.check_name, bad_lines.place) as fault

    from bad_lines

    group by bad_lines.line_number

)

select distinct coalesce(staged.weight_text, '') as weight_text

from staged

inner join faults using (line_number)

where faults.fault = 'weight'

order by weight_text

limit 1000

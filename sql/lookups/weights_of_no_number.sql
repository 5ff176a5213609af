-- The distinct texts given as weights that are no numbers. Lines that break an
-- earlier check are omitted.
select distinct coalesce(staged.weight_text, '') as weight_text

from staged

inner join source_rows using (line_number)

where source_rows.check_name = 'weight'

order by weight_text

limit 1000

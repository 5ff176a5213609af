-- The distinct texts given as scores that are no numbers. Lines that break an
-- earlier check are omitted.
select distinct coalesce(staged.score_text, '') as score_text

from staged

inner join source_rows using (line_number)

where source_rows.check_name = 'score'

order by score_text

limit 1000

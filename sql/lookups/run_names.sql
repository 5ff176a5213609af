-- The runs that the staged rows name, in the order of the file.
select staged.run

from staged

group by staged.run

order by min(staged.line_number)

-- The first time of the staged rows if none of them is a time, else null.
select
    case
        when count(staged.assessed_at) = 0
            then arg_min(staged.time_text, staged.line_number) filter (where staged.time_text <> '')
    end as time_text
from staged

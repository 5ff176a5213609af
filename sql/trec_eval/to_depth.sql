-- A run down to a depth.
create or replace temp table staged as
select staged.*

from staged

qualify
    row_number()
        over (
            partition by staged.query_id
            order by
                case
                    when $position_rule = 'score' then staged.score
                    when staged.score > 3.4028235677973366e38 then 1e300
                    when staged.score < -3.4028235677973366e38 then -1e300
                    else cast(try_cast(staged.score as real) as double)
                end desc,
                staged.doc_id desc
        )
    <= $depth

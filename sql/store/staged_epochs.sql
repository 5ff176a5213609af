-- Staged rows whose times are written out: a number of seconds (9 or 10 digits)
-- or milliseconds (12 or 13 digits) since 1970 becomes such a text.
select
    source_rows.* replace (
        case
            when
                regexp_full_match(source_rows.time_text, '([0-9]{9,10}|[0-9]{12,13})([.][0-9]*)?')
                then
                    cast(make_timestamp(cast(trunc(
                        cast(source_rows.time_text as double)
                        * if(cast(source_rows.time_text as double) < 1e11, 1000000, 1000)
                    ) as bigint)) as varchar)
            else source_rows.time_text
        end as time_text
    )
from source_rows

-- Staged rows with their time; it is null unless the text is one. A time without a
-- time zone is in UTC already. A day may be written 31.1.2026, which has one meaning.
with days as (
    select
        *,
        regexp_replace(
            upper(time_text),
            '^([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4})($|[ T])',
            '\3-\2-\1\4'
        ) as iso_text
    from source_rows
)

select
    * exclude (iso_text),
    case
        when regexp_matches(iso_text, ':.*(Z|UTC|[+-][0-9:]+)$')
            then
                -- DuckDB 1.5 reads a time zone only after seconds.
                try_cast(
                    regexp_replace(iso_text, '^([^:]*:[0-9]+) ?(Z|UTC|[+-])', '\1:00\2')
                    as timestamptz
                )
                at time zone 'UTC'
        else try_cast(iso_text as timestamp)
    end as assessed_at
from days

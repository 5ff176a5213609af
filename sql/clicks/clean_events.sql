-- How often each action met a document of a query at a position, of the rows of
-- a file that was read without checking single lines, and the first and the last
-- time; the actions that are ignored have no more than their count. A row with
-- anything unusual is omitted, which shows in the sum of the counts: only the
-- strict reading finds what is wrong with it, or whether anything is. An event
-- without a position has $no_position, or is unusual if that is null.
with named_rows as (
    -- A column that the file does not have is null.
    select
        cast(null as varchar) as query_id,
        cast(null as varchar) as doc_id,
        cast(null as varchar) as event_action,
        cast(null as varchar) as position,
        cast(null as varchar) as time
    where false
    union all by name
    select *
    from source_rows
),

weighed_rows as (
    select
        named_rows.query_id, named_rows.doc_id, action_words.action_number, action_words.weight,
        named_rows.position as position_text,
        named_rows.time as time_text,
        case
            when coalesce(named_rows.position, '') = '' then $no_position  -- noqa: RF02
            else try_cast(named_rows.position as integer)
        end as position,
        -- The times that need no closer look: in UTC, which the cast takes for
        -- granted, with an offset after seconds, or as seconds or milliseconds.
        coalesce(
            case
                when
                    (contains(named_rows.time, '-') or contains(named_rows.time, '/'))
                    and not contains(named_rows.time, '+')
                    and not contains(substring(named_rows.time, 11), '-')
                    then try_cast(named_rows.time as timestamp)
            end,
            case
                when
                    regexp_full_match(
                        named_rows.time,
                        '[0-9-]{10}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?'
                        || '[+-][0-9]{2}(:[0-9]{2})?'
                    )
                    then try_cast(named_rows.time as timestamptz) at time zone 'UTC'
                when regexp_full_match(named_rows.time, '[1-9][0-9]{8,9}')
                    then make_timestamp(1000000 * try_cast(named_rows.time as bigint))
                when regexp_full_match(named_rows.time, '[1-9][0-9]{11,12}')
                    then make_timestamp(1000 * try_cast(named_rows.time as bigint))
            end
        ) as event_at
    from named_rows
    inner join action_words using (event_action)
)

select
    weighed_rows.action_number,
    case when weighed_rows.weight > 0 then weighed_rows.query_id end as query_id,
    case when weighed_rows.weight > 0 then weighed_rows.doc_id end as doc_id,
    case when weighed_rows.weight > 0 then weighed_rows.position end as position,
    count(*) as event_count,
    min(weighed_rows.event_at) as first_at,
    max(weighed_rows.event_at) as last_at
from weighed_rows
where
    weighed_rows.weight = 0
    or (
        weighed_rows.query_id <> ''
        and weighed_rows.doc_id <> ''
        and (
            (
                weighed_rows.position between 1 and 1e9
                -- The cast accepts other texts, too.
                and cast(weighed_rows.position as varchar)
                = weighed_rows.position_text
            )
            or (weighed_rows.position = 0 and coalesce(weighed_rows.position_text, '') = '')
        )
        and (coalesce(weighed_rows.time_text, '') = '' or weighed_rows.event_at is not null)
    )
group by all

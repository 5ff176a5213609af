-- Maps of gains whose measure is gone go with it; named schemes stay.
delete from gains

where
    starts_with(gains.scheme, '{')
    and gains.scheme not in (
        select measures.gains
        from measures
        where measures.gains is not null
    )

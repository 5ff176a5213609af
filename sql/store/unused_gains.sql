-- Maps of gains are deleted with the last measure that uses them; named schemes
-- stay.
delete from gains
where
    starts_with(gains.gain_scheme, '{')
    and gains.gain_scheme not in (
        select measures.gains
        from measures
        where measures.gains is not null
    )

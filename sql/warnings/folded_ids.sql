-- Ids, each with a form that is the same for ids that are nearly the same: they differ
-- only in zeros around a number, in letter case, in blanks, in the Unicode form of
-- letters, or in UTF-8 that was read as Windows-1252.
with repaired as (
    select
        source_rows.*,
        -- Letters that may be bytes of UTF-8 are what these say, if they say anything.
        case
            when
                strlen(source_rows.id) > length(source_rows.id)
                -- The first byte of a letter, and one that can follow it.
                and regexp_matches(
                    source_rows.id,
                    '[\xC2-\xF4][\x80-\xBF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]'
                )
                and regexp_full_match(source_rows.id, '[\x00-\xFF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*')
                then try(decode(unhex(array_to_string(list_transform(
                    string_split(source_rows.id, ''),
                    lambda letter: printf(  -- noqa: RF03
                        '%02X',
                        -- Windows-1252 has letters from 128 to 159.
                        coalesce(
                            127 + nullif(instr(
                                '€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ',
                                letter  -- noqa: RF03
                            ), 0),
                            ord(letter)  -- noqa: RF03
                        )
                    )
                ), ''))))
        end as repaired_id
    from source_rows
),

plain as (
    select
        repaired.*,
        trim(
            regexp_replace(
                lower(nfc_normalize(coalesce(repaired.repaired_id, repaired.id))),
                '[\s\x{A0}]+',
                ' ',
                'g'
            ),
            ' '
        ) as plain_id
    from repaired
)

select
    plain.*,
    -- Most ids have no such zeros, and a pattern costs more than all else.
    if(
        starts_with(plain.plain_id, '0') or contains(plain.plain_id, '.0'),
        regexp_replace(plain.plain_id, '^0*([0-9]+?)([.]0+)?$', '\1'),
        plain.plain_id
    ) as folded_id
from plain

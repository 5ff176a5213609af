-- One row is a run of which unmatched ids are nearly unmatched ids of judgments: an
-- example of both, how many ids of the run, and how many of the judgments. Ids are
-- nearly the same if they differ only in zeros around a number, in letter case, in
-- blanks, in the Unicode form of letters, or in UTF-8 that was read as Windows-1252.
with repaired as (
    select
        source_rows.run_id, source_rows.query_id, source_rows.id, source_rows.is_judged,
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
),

folded as (
    select
        plain.*,
        regexp_replace(plain.plain_id, '^0*([0-9]+?)([.]0+)?$', '\1') as folded_id
    from plain
),

pairs as (
    select
        folded.run_id, folded.query_id, folded.folded_id,
        count_if(not folded.is_judged) as run_ids,
        count_if(folded.is_judged) as judged_ids,
        min(folded.id) filter (where not folded.is_judged) as run_example,
        min(folded.id) filter (where folded.is_judged) as judged_example
    from folded
    group by all
    having bool_or(folded.is_judged) and not bool_and(folded.is_judged)
)

select
    min_by(pairs.run_example, (pairs.query_id, pairs.folded_id)) as run_example,
    min_by(pairs.judged_example, (pairs.query_id, pairs.folded_id)) as judged_example,
    runs.name, runs.query_count,
    cast(sum(pairs.run_ids) as bigint) as run_ids,
    cast(sum(pairs.judged_ids) as bigint) as judged_ids
from pairs
inner join runs using (run_id)
group by runs.run_id, runs.name, runs.query_count
order by run_ids desc, runs.run_id asc

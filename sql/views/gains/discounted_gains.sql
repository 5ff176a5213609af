-- One row is a document in a ranking of the gain family (see gain_lists). part
-- is 'run' for the judged documents that the run returned, 'ideal' for the
-- documents of the ideal ranking, and 'unjudged' for the returned documents
-- that gain nothing because they are unjudged (only ndcg_steps shows these).
-- discount is that of the position: log_base(position + 1), or for the kinds
-- 'jk' and 'exp-jk' 1 before position base and log_base(position) from there on
-- (Järvelin & Kekäläinen 2002).
with parts as (

    select
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        gain_lists.list_measure,
        'run' as part,
        listed_hits.position,
        listed_hits.doc_id,
        grade_gains.gain

    from listed_hits

    inner join gain_lists using (judged_only, known)

    inner join grade_gains using (judgment_set_id, grade, gain_scheme, rel)

    where
        listed_hits.position <= gain_lists.depth
        -- Measures that share gains among ties use tied_gains instead.
        and gain_lists.tie_rule is null

    union all

    select
        tied_gains.run_id,
        tied_gains.run,
        tied_gains.judgment_set_id,
        tied_gains.query_id,
        tied_gains.list_measure,
        'run' as part,
        positions.position,
        cast(null as varchar) as doc_id,
        tied_gains.gain

    from tied_gains

    inner join positions
        on
            tied_gains.tie_first <= positions.position
            and tied_gains.tie_last >= positions.position

    union all

    select
        listed_queries.run_id,
        listed_queries.run,
        listed_queries.judgment_set_id,
        listed_queries.query_id,
        gain_lists.list_measure,
        'ideal' as part,
        cast(ideal_rankings.position as integer) as position,
        ideal_rankings.doc_id,
        ideal_rankings.gain

    from listed_queries

    inner join ideal_rankings using (judgment_set_id, query_id, known)

    inner join gain_lists using (judged_only, known, gain_scheme, rel)

    where
        gain_lists.ideal in ('judged', 'returned', 'uncut')
        and ideal_rankings.position <= gain_lists.ideal_depth
        and (
            gain_lists.ideal <> 'returned'
            or ideal_rankings.position <= listed_queries.listed
        )

    union all

    select
        retrieved_ideals.run_id,
        retrieved_ideals.run,
        retrieved_ideals.judgment_set_id,
        retrieved_ideals.query_id,
        retrieved_ideals.list_measure,
        'ideal' as part,
        cast(retrieved_ideals.position as integer) as position,
        retrieved_ideals.doc_id,
        retrieved_ideals.gain

    from retrieved_ideals

    inner join gain_lists using (list_measure)

    where retrieved_ideals.position <= gain_lists.ideal_depth

    union all

    select
        evaluations.run_id,
        listed_rankings.run,
        evaluations.judgment_set_id,
        listed_rankings.query_id,
        gain_lists.list_measure,
        'unjudged' as part,
        listed_rankings.position,
        listed_rankings.doc_id,
        0 as gain

    from listed_rankings

    inner join evaluations using (run_id)

    inner join judged_queries using (judgment_set_id, query_id)

    inner join gain_lists
        on
            listed_rankings.known = gain_lists.known
            and listed_rankings.position <= gain_lists.depth
            and not gain_lists.judged_only

    left join hits using (run_id, judgment_set_id, query_id, doc_id)

    where hits.doc_id is null

)

select
    parts.run_id,
    parts.run,
    parts.judgment_set_id,
    parts.query_id,
    parts.list_measure,
    parts.part,
    parts.position,
    parts.doc_id,
    parts.gain,
    case
        when gain_lists.dcg_kind in ('log2', 'exp-log2')
            then
                case
                    when gain_lists.base = 2
                        then log2(parts.position + 1)
                    else ln(parts.position + 1) / ln(gain_lists.base)
                end
        when parts.position < gain_lists.base then 1
        when gain_lists.base = 2 then log2(parts.position)
        else ln(parts.position) / ln(gain_lists.base)
    end as discount,
    gain_lists.is_cut

from parts

inner join gain_lists using (list_measure)

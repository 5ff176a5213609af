-- One row is a document that a reader of ERR or nERR meets: in the ranking that
-- the run returned (part 'run') or in the ideal ranking, which has all judged
-- documents with a grade above 0 in descending order of grade (part 'ideal').
-- satisfaction is the probability that the document satisfies the reader:
-- (2^grade - 1) / 2^max_rel. A grade above max_rel would be worth more than
-- certainty: such documents are omitted, as are all values of the measure for
-- their judgment set (see fitting_measures).
with cascades as (

    select
        measures.measure,
        measures.family,
        measures.cutoff,
        measures.judged_only,
        measures.known,
        measures.max_rel

    from measures

    where measures.family in ('ERR', 'nERR')

),

ideal as (

    select
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        listed_judgments.known,
        listed_judgments.grade,
        row_number() over (
            partition by
                listed_judgments.judgment_set_id,
                listed_judgments.query_id,
                listed_judgments.known
            order by
                listed_judgments.grade desc,
                listed_judgments.doc_id desc
        ) as position

    from listed_judgments

    where listed_judgments.grade > 0

)

select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    cascades.measure,
    cascades.family,
    'run' as part,
    listed_hits.position,
    (power(2, listed_hits.grade) - 1) / power(2, cascades.max_rel)
        as satisfaction

from listed_hits

inner join cascades using (judged_only, known)

where
    (
        cascades.cutoff is null
        or listed_hits.position <= cascades.cutoff
    )
    and listed_hits.grade > 0
    and listed_hits.grade <= cascades.max_rel

union all

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    cascades.measure,
    cascades.family,
    'ideal' as part,
    ideal.position,
    (power(2, ideal.grade) - 1) / power(2, cascades.max_rel) as satisfaction

from listed_queries

inner join cascades using (judged_only, known)

inner join ideal using (judgment_set_id, query_id, known)

where
    (
        cascades.cutoff is null
        or cascades.cutoff >= ideal.position
    )
    and ideal.grade <= cascades.max_rel

-- One row is a document of a ranking as a measure sees it, with the term that
-- it adds to the value, and the sum of the terms down to it. Relevant documents
-- that were not found follow, without a position, where the value is a share of
-- all relevant documents. The value is the last sum, multiplied by factor or
-- divided by divisor. A ranking without documents has one row without a
-- document.
with asked as (

    select
        measures.measure,
        measures.family,
        measures.cutoff,
        coalesce(measures.cutoff, 1000000000) as depth,
        measures.rel,
        coalesce(measures.judged_only, false) as judged_only,
        measures.known,
        measures.norm,
        measures.p

    from measures

    where list_contains($measures, measures.measure)

),

ranked as (

    select
        asked.measure,
        asked.known,
        listed_rankings.doc_id,
        listed_rankings.position

    from asked

    inner join listed_rankings using (known)

    where
        asked.depth >= listed_rankings.position
        and not asked.judged_only
        and listed_rankings.run_id = $run_id
        and listed_rankings.query_id = $query_id

    union all

    select
        asked.measure,
        asked.known,
        listed_hits.doc_id,
        listed_hits.position

    from asked

    inner join listed_hits using (judged_only, known)

    where
        asked.depth >= listed_hits.position
        and asked.judged_only
        and listed_hits.run_id = $run_id
        and listed_hits.judgment_set_id = $judgment_set_id
        and listed_hits.query_id = $query_id

),

judged as (

    select
        listed_judgments.doc_id,
        listed_judgments.known,
        listed_judgments.grade

    from listed_judgments

    where
        listed_judgments.judgment_set_id = $judgment_set_id
        and listed_judgments.query_id = $query_id

),

terms as (

    select
        value_terms.measure,
        value_terms.position,
        value_terms.found,
        value_terms.satisfaction,
        value_terms.reach,
        value_terms.subtopics,
        value_terms.term

    from value_terms

    where
        value_terms.run_id = $run_id
        and value_terms.judgment_set_id = $judgment_set_id
        and value_terms.query_id = $query_id
        and list_contains($measures, value_terms.measure)

),

-- Not a window: the last bits must be those of the value.
sums as (

    select
        terms.measure,
        terms.position,
        sum(above.term order by above.position) as term_sum

    from terms

    inner join terms as above using (measure)

    where terms.position >= above.position

    group by
        terms.measure,
        terms.position

),

steps as (

    select
        ranked.measure,
        ranked.position,
        ranked.doc_id,
        judged.grade,
        terms.found,
        terms.satisfaction,
        terms.reach,
        terms.subtopics,
        terms.term,
        coalesce(
            last_value(sums.term_sum ignore nulls) over (
                partition by ranked.measure
                order by ranked.position
                rows between unbounded preceding and current row
            ),
            0
        ) as term_sum

    from ranked

    left join judged using (known, doc_id)

    left join terms using (measure, position)

    left join sums using (measure, position)

    union all

    select
        asked.measure,
        null as position,
        judged.doc_id,
        judged.grade,
        null as found,
        null as satisfaction,
        null as reach,
        null as subtopics,
        0 as term,
        null as term_sum

    from asked

    inner join judged
        on
            asked.known = judged.known
            and asked.rel <= judged.grade
            and judged.grade >= 0

    left join ranked using (measure, doc_id)

    where
        asked.family in ('AP', 'R')
        and ranked.doc_id is null

),

divisors as (

    select
        asked.measure,
        case
            when subtopic_divisors.measure is not null
                then subtopic_divisors.divided_by
            when asked.family = 'AP' and asked.norm = 'hits'
                then 'documents found'
            when
                asked.family = 'AP'
                and asked.norm = 'min'
                and asked.cutoff < relevance_counts.relevant
                then 'cutoff'
            when asked.family in ('AP', 'R') then 'relevant documents'
            when asked.family = 'P' and asked.cutoff is not null
                then 'cutoff'
            when asked.family = 'P' then 'documents'
            when asked.family = 'nERR' then 'ideal ERR'
        end as divided_by,
        case when asked.family = 'RBP' then 1 - asked.p end as factor,
        asked.cutoff,
        relevance_counts.relevant,
        relevance_counts.found,
        relevance_counts.listed,
        expected_reciprocal_ranks.ideal_err,
        subtopic_divisors.divisor as share_divisor

    from asked

    left join relevance_counts
        on
            asked.measure = relevance_counts.measure
            and relevance_counts.run_id = $run_id
            and relevance_counts.judgment_set_id = $judgment_set_id
            and relevance_counts.query_id = $query_id

    left join expected_reciprocal_ranks
        on
            asked.measure = expected_reciprocal_ranks.measure
            and expected_reciprocal_ranks.run_id = $run_id
            and expected_reciprocal_ranks.judgment_set_id = $judgment_set_id
            and expected_reciprocal_ranks.query_id = $query_id

    left join subtopic_divisors
        on
            asked.measure = subtopic_divisors.measure
            and subtopic_divisors.judgment_set_id = $judgment_set_id
            and subtopic_divisors.query_id = $query_id

)

select
    divisors.measure,
    steps.position,
    steps.doc_id,
    documents.title,
    steps.grade,
    steps.found,
    steps.satisfaction,
    steps.reach,
    steps.subtopics,
    steps.term,
    steps.term_sum,
    divisors.factor,
    divisors.divided_by,
    case divisors.divided_by
        when 'documents found' then divisors.found
        when 'cutoff' then divisors.cutoff
        when 'relevant documents' then divisors.relevant
        when 'documents' then divisors.listed
        when 'ideal ERR' then divisors.ideal_err
        else divisors.share_divisor
    end as divisor,
    stored_values.nothing_relevant,
    stored_values.value

from divisors

inner join stored_values using (measure)

left join steps using (measure)

left join runs using (run_id)

left join documents
    on
        runs.dataset = documents.dataset
        and steps.doc_id = documents.doc_id

where
    stored_values.run_id = $run_id
    and stored_values.judgment_set_id = $judgment_set_id
    and stored_values.query_id = $query_id

order by
    list_position($measures, divisors.measure) asc,
    steps.position asc nulls last,
    steps.grade desc,
    steps.doc_id desc

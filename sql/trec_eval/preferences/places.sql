-- One row is a judged document of a query. Its place counts only judged
-- documents: first those that the run returned, then the others. Among equal
-- scores the lower document id comes first, the reverse of the rule elsewhere,
-- because trec_eval does so for preferences.
select
    judgments.query_id,
    judgments.doc_id,
    row_number() over (
        partition by judgments.query_id
        order by computed_hits.tie_first nulls last, judgments.doc_id
    ) as place,
    count(computed_hits.doc_id) over (
        partition by judgments.query_id
    ) as returned

from judgments

left join computed_hits
    on
        computed_hits.run_id = $run_id
        and judgments.judgment_set_id = computed_hits.judgment_set_id
        and judgments.query_id = computed_hits.query_id
        and judgments.doc_id = computed_hits.doc_id

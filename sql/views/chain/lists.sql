-- One row is a judged document that a run returned, at its position in each kind of list that a
-- measure reads: as returned, without documents that the query knows (known = 'omit'), without
-- unjudged documents (judged_only), or without both. Positions close up. judged counts the
-- documents with a grade down to it, pooled also those with a negative one.
select
    *,
    'keep' as known,
    false as judged_only,
    count(*) filter (grade >= 0) over down as judged,
    row_number() over down as pooled
from hits
window down as (partition by run_id, judgment_set_id, query_id order by position)
union all
select
    *,
    false as judged_only,
    count(*) filter (grade >= 0) over of_new as judged,
    row_number() over of_new as pooled
from new_hits
window of_new as (partition by run_id, judgment_set_id, query_id order by position)
union all
select
    * replace (row_number() over condensed as position),
    row_number() over condensed as judged,
    row_number() over condensed as pooled
from known_hits
inner join condensing using (known)
where grade >= 0
window condensed as (partition by run_id, judgment_set_id, query_id, known order by position)

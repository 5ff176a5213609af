-- One row is a document that a run shows to judged queries, down to a depth, and
-- to how many of them.
select
    listed_rankings.run_id,
    judged_queries.judgment_set_id,
    shown_depths.known,
    shown_depths.depth,
    listed_rankings.doc_id,
    count(*) as times

from listed_rankings

inner join shown_depths
    on
        listed_rankings.known = shown_depths.known
        and listed_rankings.position <= shown_depths.depth

inner join judged_queries using (query_id)

inner join evaluations using (run_id, judgment_set_id)

group by
    listed_rankings.run_id,
    judged_queries.judgment_set_id,
    shown_depths.known,
    shown_depths.depth,
    listed_rankings.doc_id

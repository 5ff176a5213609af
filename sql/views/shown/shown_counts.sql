-- One row is a document that a run shows to a group of judged queries (see
-- query_groups), down to a depth, and to how many of them.
select
    listed_rankings.run_id,
    listed_rankings.run,
    query_groups.judgment_set_id,
    query_groups.attribute,
    query_groups.slice,
    shown_depths.known,
    shown_depths.depth,
    listed_rankings.doc_id,
    count(*) as times

from listed_rankings

inner join shown_depths
    on
        listed_rankings.known = shown_depths.known
        and listed_rankings.position <= shown_depths.depth

inner join query_groups using (query_id)

inner join evaluations using (run_id, judgment_set_id)

group by
    listed_rankings.run_id,
    listed_rankings.run,
    query_groups.judgment_set_id,
    query_groups.attribute,
    query_groups.slice,
    shown_depths.known,
    shown_depths.depth,
    listed_rankings.doc_id

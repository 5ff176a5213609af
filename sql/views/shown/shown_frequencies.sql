-- One row is a number of times that a run shows documents to a group of judged
-- queries (see query_groups), and how many documents it shows so often; outside is
-- how many of these are not in the catalogue, the dataset's table of documents.
select
    shown_counts.run_id,
    shown_counts.run,
    shown_counts.judgment_set_id,
    shown_counts.attribute,
    shown_counts.slice,
    shown_counts.known,
    shown_counts.depth,
    shown_counts.times,
    count(*) as distinct_documents,
    sum(case when documents.doc_id is null then 1 else 0 end) as outside

from shown_counts

inner join runs
    on
        shown_counts.run_id = runs.run_id
        and shown_counts.run = runs.name

left join documents using (dataset, doc_id)

group by
    shown_counts.run_id,
    shown_counts.run,
    shown_counts.judgment_set_id,
    shown_counts.attribute,
    shown_counts.slice,
    shown_counts.known,
    shown_counts.depth,
    shown_counts.times

-- Judgments of documents for the subtopics of queries, as they were loaded. The
-- table judgments has the largest grade of each document, which every measure
-- reads that knows no subtopics.

create table subtopic_judgments (
    judgment_set_id integer not null,
    query_id varchar not null,
    subtopic varchar not null,
    doc_id varchar not null,
    grade double not null check (
        grade between -1.7976931348623157e308 and 1.7976931348623157e308
    ),
    label varchar
);

comment on table subtopic_judgments is
'One row is a document judged for a subtopic of a query in a judgment set.';

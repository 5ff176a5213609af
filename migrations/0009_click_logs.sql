-- What judgment sets made of clicks rest on: the log, how often documents were
-- shown for their queries, and what was shown and clicked at each position.

create table click_logs (
    judgment_set_id integer not null,
    min_impressions integer not null,
    impressions bigint not null,
    actions bigint not null,
    first_at timestamp,
    last_at timestamp
);

comment on table click_logs is
'One row is the log of a judgment set made of clicks, and what it counts.';

create table click_bands (
    judgment_set_id integer not null,
    least_impressions bigint not null,
    shown_documents bigint not null,
    graded_documents bigint not null,
    clicks double not null
);

comment on table click_bands is
'One row are the documents of queries that were shown about as often: from the
least impressions of the band to those of the next one, which are 1, 2, 5, 10 ...';

create table click_positions (
    judgment_set_id integer not null,
    position integer not null,
    impressions bigint not null,
    clicks double not null,
    best_documents bigint not null,
    unclicked_documents bigint not null
);

comment on table click_positions is
'One row is a position at which a log shows documents. The judged documents of
queries that never stood higher are its best documents.';

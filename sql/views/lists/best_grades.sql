-- One row is a judged query, for each kind of ranking (see listed_judgments), with
-- the highest grade of its documents. All judged documents of a query may be known:
-- then it has none.
select
    listed_judgments.judgment_set_id,
    listed_judgments.query_id,
    listed_judgments.known,
    max(listed_judgments.grade) as grade

from listed_judgments

group by
    listed_judgments.judgment_set_id,
    listed_judgments.query_id,
    listed_judgments.known

-- Stores what measures cannot use of judgment sets: named ones, or all.
insert into misfits by name
select *
from computed_misfits
where
    coalesce(list_contains($judgment_set_ids, judgment_set_id), true)
    and coalesce(list_contains($measures, measure), true)

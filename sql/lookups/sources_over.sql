-- One row is a source of a run that fuse made (of source_rows): whether no run of its
-- dataset has that name, and whether it has the tag $over itself and fuse made it, too.
select
    source_rows.run_id, source_rows.run, source_rows.name,
    runs.run_id is null as is_lost,
    count(case when run_tags.tag = $over then 1 end) > 0  -- noqa: RF02
        as has_tag,
    has_tag and count(case when run_tags.tag = 'sources' then 1 end) > 0 as is_nested
from source_rows
left join runs using (dataset, name)
left join run_tags
    on runs.run_id = run_tags.run_id
where list_contains($run_ids, source_rows.run_id)
group by source_rows.run_id, source_rows.run, source_rows.name, runs.run_id
order by source_rows.run_id, source_rows.name

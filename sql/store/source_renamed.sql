update run_tags
set
    tag_value = substr(
        replace(
            ', ' || run_tags.tag_value || ', ',
            ', ' || $old || ', ',
            ', ' || $name || ', '
        ),
        3,
        length(run_tags.tag_value) + length($name) - length($old)
    )
where
    run_tags.tag = 'sources'
    and contains(', ' || run_tags.tag_value || ', ', ', ' || $old || ', ')
    and run_tags.run_id in (
        select runs.run_id
        from runs
        where runs.dataset = $dataset
    )
    and run_tags.run_id in (
        select fusions.run_id
        from run_tags as fusions
        where fusions.tag = 'fusion'
    )

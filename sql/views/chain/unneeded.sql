-- One row is a relation of this chain that no registered measure needs rows of.
with needed as (
    select
        bool_or(judged_only) as condensing,
        bool_or(known = 'omit') as omitting_datasets,
        bool_or(tie_rule is not null) as tied_gains,
        bool_or(ideal = 'judged' or has_own_ideal) as ideals,
        bool_or(has_own_ideal) as run_ideals,
        bool_or(ideal = 'perfect') as perfect_settings,
        bool_or(gain_scheme = 'satisfaction') as cascade_places,
        bool_or(reads = 'subtopics') as subtopic_bases,
        bool_or(reads = 'rankings') as shown_documents,
        bool_or(judged_only or known = 'omit') as closed_up
    from settings
)

select relation
from needed
unpivot (
    is_needed for relation in (
        condensing, omitting_datasets, tied_gains, ideals, run_ideals, perfect_settings,
        cascade_places, subtopic_bases, shown_documents, closed_up
    )
)
where not is_needed
union all
select distinct relation
from $families
where
    relation is not null
    and relation not in (select relation from settings where relation is not null)

-- unneeded: a relation of this chain that no registered measure needs rows of.
with needed as (
    select
        bool_or(judged_only) as condensing,
        bool_or(known = 'omit') as omitting_datasets,
        bool_or(tie_rule is not null) as tied_gains,
        bool_or(ideal = 'judged') as shared_ideals,
        bool_or(ideal in ('retrieved', 'topk', 'returned')) as run_ideals,
        bool_or(ideal = 'perfect') as perfect_settings,
        bool_or(gain_scheme = 'satisfaction') as cascade_places,
        bool_or(reads = 'subtopics') as subtopic_bases,
        bool_or(reads = 'rankings') as shown_documents,
        bool_or(gain_scheme = 'novelty') as knowing_queries
    from settings
)

select relation
from needed
unpivot (
    is_needed for relation in (
        condensing, omitting_datasets, tied_gains, shared_ideals, run_ideals, perfect_settings,
        cascade_places, subtopic_bases, shown_documents, knowing_queries
    )
)
where not is_needed
union all
select distinct relation
from families
where
    relation is not null
    and relation not in (select relation from settings where relation is not null)

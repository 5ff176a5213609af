-- One hash of the staged judgments, in whatever order they are staged.
select
    sha256(
        coalesce(
            string_agg(
                sha256(
                    json_array(staged.query_id, staged.doc_id, staged.grade)
                ),
                ''
                order by staged.query_id, staged.doc_id
            ),
            ''
        )
    ) as staged_hash

from staged

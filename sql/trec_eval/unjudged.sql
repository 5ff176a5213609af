-- Documents of a run that nobody judged are taken out of it.
delete from rankings

where
    rankings.run_id = $run_id
    and not exists (

        select 1

        from judgments

        where
            judgments.query_id = rankings.query_id
            and judgments.doc_id = rankings.doc_id
            and judgments.grade >= 0

    )

-- One row is a query, a document and its score, of a line of a run.
select
    lines.query_id,
    lines.doc_id,
    lines.score

from
    read_csv(
        $run,
        delim = ' ',
        header = false,
        quote = '',
        auto_detect = false,
        columns = {
            'query_id': 'VARCHAR',
            'q0': 'VARCHAR',
            'doc_id': 'VARCHAR',
            'rank': 'VARCHAR',
            'score': 'VARCHAR',
            'tag': 'VARCHAR'
        }
    ) as lines

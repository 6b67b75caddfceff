import type { Finding, SourceFile } from './source-files.ts'

/** Code that sends or composes text itself: the drivers, migrations, and the function that generates the texts of inserts. */
const exceptions = /^shared\/data\/(drivers\/|migrations\/|migrate\.ts$|sql\/insert-rows\.ts$)/

/** A text passed to a database or a transaction, or anything with a list of values. */
const handedText = /\b(?:db|tx|alone|queries)(?:\.long)?\.(?:get|all|run)(?:<[^()]*>)?\(\s*(?:['"`]|[\w.]+,)/g
/** A text that reads like a statement and has no tag, wherever it is used. */
const statement = /(?<!\bsql)['"`]\s*(?:select|insert\s+into|update\s+\S+\s+set|delete\s+from|with\s+\w+\s+as)\s/gi

/** All columns of a table. A derived table has those of its own select. */
const allColumns = /\b(?:select(?:\s+distinct)?|returning)\s+(?:\w+\.)?\*(?!\s+from\s+\()|,\s*\w+\.\*/g

const remedies: readonly [RegExp, string][] = [
  [handedText, 'write it with sql`…`, each value where it is used'],
  [statement, 'write it with sql`…`, each value where it is used'],
  [
    allColumns,
    'name the columns: a later version adds some while this one runs, and Postgres rejects what is prepared',
  ],
]

/** Statements of shared/data that are not written with the tag `sql`, or depend on the columns of a table. */
export function statementFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^shared\/data\/.*\.ts$/.test(path) && !exceptions.test(path))
    .flatMap(({ path, lines }) => {
      const text = lines.map((line) => (/^\s*(\*|\/\/|\/\*)/.test(line) ? '' : line)).join('\n')
      const found = remedies.flatMap(([pattern, remedy]) =>
        [...text.matchAll(pattern)].map(({ index }) => [text.slice(0, index).split('\n').length, remedy] as const),
      )
      return [...new Map(found)].map(([line, remedy]) => ({ path, line, remedy }))
    })
}

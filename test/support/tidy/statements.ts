import type { Finding, SourceFile } from './source-files.ts'

/** What sends or composes text itself: the drivers, migrations, and the function that makes the texts of inserts. */
const exceptions = /^shared\/data\/(drivers\/|migrations\/|migrate\.ts$|sql\/insert-rows\.ts$)/

/** A text handed to a database or a transaction, or anything with a list of values beside it. */
const handedText = /\b(?:db|tx|alone|queries)(?:\.long)?\.(?:get|all|run)(?:<[^()]*>)?\(\s*(?:['"`]|[\w.]+,)/g
/** A text that reads like a statement and has no tag, wherever it is used. */
const statement = /(?<!\bsql)['"`]\s*(?:select|insert\s+into|update\s+\S+\s+set|delete\s+from|with\s+\w+\s+as)\s/gi

/** Statements of shared/data that are not written with the tag `sql`. */
export function statementFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^shared\/data\/.*\.ts$/.test(path) && !exceptions.test(path))
    .flatMap(({ path, lines }) => {
      const text = lines.map((line) => (/^\s*(\*|\/\/|\/\*)/.test(line) ? '' : line)).join('\n')
      const found = [...text.matchAll(handedText), ...text.matchAll(statement)]
      const places = new Set(found.map(({ index }) => text.slice(0, index).split('\n').length))
      return [...places].map((line) => ({ path, line, remedy: 'write it with sql`…`, each value where it is used' }))
    })
}

import type { Column } from './columns.ts'
import { withoutFirstField } from './csv-reader.ts'
import { csvLine } from './export.ts'
import { errorColumn, errorMark } from './record.ts'
import { describeErrors, type RejectedRow } from './rejection.ts'
import type { CsvHead, FileFormat } from './rows.ts'

/** The format of the file with the rejected rows. Only CSV has a `head`. */
type Source = { format: FileFormat; head: CsvHead | null; columns: readonly Column[] }

/** Writes rejected rows as a file: its beginning, the added rows, and its end. */
export type RejectsWriter = {
  head: string
  /** @param isFirst whether these are the first rows */
  rows(rows: readonly RejectedRow[], isFirst: boolean): string
  end: string
}

/**
 * Writes rejected rows in the format of their file, byte for byte, so that the result can be corrected and imported. The errors precede
 * each row, where an import ignores them: in the first column of CSV, otherwise on a separate line.
 */
export function createRejectsWriter({ format, head, columns }: Source): RejectsWriter {
  const reasonOf = ({ errors }: RejectedRow) => describeErrors(errors, columns).join('; ').replaceAll(/\s+/g, ' ')
  if (head !== null) return csvRejects(head, { reasonOf, hasReasons: hasReasons(columns) })
  const textOf = (rejected: RejectedRow) => {
    const { row, line, source } = rejected.row
    return `${errorMark}row ${row}, line ${line}: ${reasonOf(rejected)}\n${source}`
  }
  if (format === 'json') {
    const between = ',\n'
    const text = (rows: readonly RejectedRow[]) => rows.map(textOf).join(between)
    return { head: '[\n', rows: (rows, isFirst) => (isFirst ? '' : between) + text(rows), end: '\n]\n' }
  }
  return { head: '', rows: (rows) => rows.map((row) => `${textOf(row)}\n`).join(''), end: '' }
}

/** Whether the file is itself a file of rejected rows. */
function hasReasons([first]: readonly Column[]): boolean {
  return first?.name === errorColumn && first.pointer === null
}

type Reasons = { reasonOf(row: RejectedRow): string; hasReasons: boolean }

/** A row keeps its line break; the last row of a file without one gets that of the header. */
function csvRejects({ preamble, delimiter, text: header }: CsvHead, reasons: Reasons): RejectsWriter {
  const lineBreak = /[\r\n]*$/.exec(header)?.[0] || '\r\n'
  const line = (reason: string, text: string) => {
    const own = reasons.hasReasons ? (withoutFirstField(text, delimiter) ?? text) : text
    const ended = /[\r\n]$/.test(own) ? own : own + lineBreak
    return `${quoted(reason, delimiter)}${delimiter}${ended}`
  }
  return {
    head: preamble + line(errorColumn, header),
    rows: (rows) => rows.map((row) => line(reasons.reasonOf(row), row.row.source)).join(''),
    end: '',
  }
}

/** A reason as a CSV field. */
function quoted(reason: string, delimiter: string): string {
  const field = csvLine([reason]).trimEnd()
  return field.includes(delimiter) && !field.startsWith('"') ? `"${field}"` : field
}

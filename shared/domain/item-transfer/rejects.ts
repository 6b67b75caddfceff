import type { Column } from './columns.ts'
import { withoutFirstField } from './csv-reader.ts'
import { csvLine } from './export.ts'
import { errorColumn, errorMark } from './record.ts'
import { describeErrors, type RejectedRow } from './rejection.ts'
import type { CsvHead, FileFormat } from './rows.ts'

/** How the file is written whose rows were rejected. `head` is of CSV only. */
type Source = { format: FileFormat; head: CsvHead | null; columns: readonly Column[] }

/** Rejected rows as a file: what it begins with, its rows as they are added, and what it ends with. */
export type RejectsWriter = {
  head: string
  /** @param isFirst no rows stand before them */
  rows(rows: readonly RejectedRow[], isFirst: boolean): string
  end: string
}

/**
 * Rejected rows in the format of their file, each as it stands there, byte for byte, so that the file can be corrected and imported. The
 * errors stand before each row, where an import leaves them out: in the first column of CSV, else on a line of their own.
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

/** Whether the file has itself come of an import that rejected its rows. */
function hasReasons([first]: readonly Column[]): boolean {
  return first?.name === errorColumn && first.pointer === null
}

type Reasons = { reasonOf(row: RejectedRow): string; hasReasons: boolean }

/** A row has the line break of its line, and the last one of the file that of the header. */
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

/** A reason as the field of a delimiter. */
function quoted(reason: string, delimiter: string): string {
  const field = csvLine([reason]).trimEnd()
  return field.includes(delimiter) && !field.startsWith('"') ? `"${field}"` : field
}

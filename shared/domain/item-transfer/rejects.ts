import { type Column, errorColumn } from './columns.ts'
import { csvLine } from './export.ts'
import { describeErrors, type RefusedRow } from './refusal.ts'
import type { FileFormat } from './rows.ts'

type Source = { format: FileFormat; header: readonly string[]; columns: readonly Column[] }

/**
 * Refused rows as a file. Of CSV it is CSV with one more column, which tells the errors and which an import leaves out, so that the
 * file can be corrected and imported; else a line of JSON for each row: `{row, line, errors, data}`, or `text` in place of data
 * that is no JSON.
 * @param isFirst they begin the file
 */
export function rejectsText(
  rows: readonly RefusedRow[],
  { format, header, columns }: Source,
  isFirst: boolean,
): string {
  if (format !== 'csv') return rows.map(jsonLine).join('')
  const names = header.filter((name) => name !== errorColumn)
  const head = isFirst ? csvLine([...names, errorColumn]) : ''
  const lines = rows.map(({ row, errors }) => {
    const cells = header.flatMap((name, n) => (name === errorColumn ? [] : (row.source[n] ?? '')))
    return csvLine([...cells, describeErrors(errors, columns).join('; ')])
  })
  return head + lines.join('')
}

function jsonLine({ row: { row, line, data, source }, errors }: RefusedRow): string {
  const about = JSON.stringify({ row, line, errors }).slice(0, -1)
  return `${about},${data === null ? `"text":${JSON.stringify(source)}` : `"data":${data.replaceAll(/[\r\n]+/g, ' ')}`}}\n`
}

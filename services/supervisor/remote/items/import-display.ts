import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { describeErrors, type RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { printable } from '../../terminal/listing.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeState } from './import-report.ts'
import type { ImportSource } from './import-source.ts'

/** How many rejected rows are shown individually if a file has all of them. */
const shownRejections = 5
/** Rows between two lines without a terminal. */
const rowsOfLine = 10_000

/**
 * Shows the progress of an import on standard error: one updated line on a terminal, occasional lines elsewhere.
 * @param options.showsAll shows every rejected row
 * @param options.from the row after which the import begins
 */
export function createImportDisplay(
  terminal: Terminal,
  { columns, share }: ImportSource,
  { showsAll, from }: { showsAll: boolean; from: number },
) {
  const line = createProgressLine(terminal)
  const { stderr } = terminal
  const startedAt = performance.now()
  let shown = 0
  let loggedRow = 0

  function note(text: string): void {
    line.clear()
    stderr.write(`${printable(text)}\n`)
  }

  function reject(rows: readonly RejectedRow[]): void {
    for (const { row, errors } of rows) {
      if (!showsAll && shown === shownRejections) return
      shown++
      note(`row ${row.row}, line ${row.line}: ${describeErrors(errors, columns).join('; ')}`)
      if (!showsAll && shown === shownRejections) note('Further rejected rows are only in the file.')
    }
  }

  function show(state: ImportState): void {
    const { row, existing, refused } = state
    const seconds = (performance.now() - startedAt) / 1000
    const part = share()
    const text = [
      part === null ? '' : `${stderr.isTTY ? bar(part) : ''}${Math.floor(part * 100)} %`,
      counted(row, 'row'),
      existing + refused > 0 ? describeState(state) : '',
      `${Math.round((row - from) / Math.max(seconds, 0.001)).toLocaleString('en-US')} rows/s`,
    ]
      .filter(Boolean)
      .join(' · ')
    if (stderr.isTTY) line.show(text)
    else if (row >= loggedRow + rowsOfLine) {
      loggedRow = row
      stderr.write(`${text}\n`)
    }
  }

  function wait(seconds: number, { message }: Error): void {
    const text = `Waiting ${counted(seconds, 'second')}: ${printable(message)}`
    if (stderr.isTTY) line.show(text)
    else stderr.write(`${text}\n`)
  }

  return { reject, show, wait, end: line.clear }
}

const barLength = 20

/** @param part from 0 to 1 */
function bar(part: number): string {
  const full = Math.floor(part * barLength)
  return `[${'#'.repeat(full)}${'.'.repeat(barLength - full)}] `
}

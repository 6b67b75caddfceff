import type { ComponentChildren } from 'preact'
import { count, wordFor } from './text.tsx'

/** The header of a column: of figures, which are right-aligned, or of buttons, where it is only for screen readers. */
export type Column = string | { figures: string } | { unseen: string }

type TableProps = {
  columns: readonly Column[]
  /** The rows, as `<tbody>`. */
  children: ComponentChildren
}

/** A table with column headers. On a phone, each row is a card. */
export function Table({ columns, children }: TableProps) {
  return (
    <div class="scroll">
      <table class="table cards">
        <thead>
          <tr>{columns.map(Head)}</tr>
        </thead>
        {children}
      </table>
    </div>
  )
}

function Head(column: Column) {
  if (typeof column === 'string') return <th key={column}>{column}</th>
  if ('figures' in column) {
    return (
      <th key={column.figures} class="num">
        {column.figures}
      </th>
    )
  }
  return (
    <th key={column.unseen}>
      <span class="unseen">{column.unseen}</span>
    </th>
  )
}

/** The figure of a row. On a phone, which has no headers, its unit follows. @param n null: there is no figure */
export function Figure({ n, one, many }: { n: number | null; one: string; many?: string }) {
  return (
    <td class="num aside">
      {n === null ? '–' : count(n)}
      {n !== null && <span class="unit"> {wordFor(n, one, many)}</span>}
    </td>
  )
}

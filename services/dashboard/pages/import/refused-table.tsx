import { count } from '../../parts/display/text.tsx'
import type { ShownRefusal } from './import-run.ts'

/** Rows of which no item is made, and why. */
export function RefusedTable({ refusals }: { refusals: readonly ShownRefusal[] }) {
  return (
    <table class="table refused">
      <thead>
        <tr>
          <th class="num">row</th>
          <th class="num">line</th>
          <th>why it is rejected</th>
        </tr>
      </thead>
      <tbody>
        {refusals.map(({ row, line, why }) => (
          <tr key={row}>
            <td class="num">{count(row)}</td>
            <td class="num muted">{count(line)}</td>
            <td class="why">{why}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

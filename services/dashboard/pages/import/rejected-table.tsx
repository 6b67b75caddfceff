import { count } from '../../parts/display/text.tsx'
import type { ShownRejection } from './import-run.ts'

/** Rejected rows with their reasons. */
export function RejectedTable({ rejections }: { rejections: readonly ShownRejection[] }) {
  return (
    <table class="table rejected">
      <thead>
        <tr>
          <th class="num">row</th>
          <th class="num">line</th>
          <th>reason</th>
        </tr>
      </thead>
      <tbody>
        {rejections.map(({ row, line, why }) => (
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

import type { Column } from '#shared/domain/item-transfer/columns.ts'
import { describeErrors } from '#shared/domain/item-transfer/rejection.ts'
import { Note } from '../../parts/display/marks.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { FileProblem } from './file-problem.tsx'
import { RejectedTable } from './rejected-table.tsx'
import type { Examined } from './use-sample.ts'

/** The number of rows whose data is shown. */
const mostShown = 5
/** The number of characters of data that are shown. */
const mostLength = 400

type SampleResultProps = { examined: Examined; isAll: boolean; columns: readonly Column[] }

/** The result that the first rows of a file would have. */
export function SampleResult({ examined: { rows, rejected, error }, isAll, columns }: SampleResultProps) {
  const readable = rows.flatMap(({ row, data }) => (data === null ? [] : [{ row, data }]))
  return (
    <section aria-label="The first rows">
      <div role="status">
        {error === null ? (
          <Verdict rows={rows.length} rejected={rejected?.length ?? null} isAll={isAll} />
        ) : (
          <FileProblem error={error} />
        )}
      </div>
      {rejected && rejected.length > 0 && (
        <RejectedTable
          rejections={rejected.map(({ row: { row, line }, errors }) => ({
            row,
            line,
            why: describeErrors(errors, columns).join('; '),
          }))}
        />
      )}
      {readable.length > 0 && (
        <>
          <h3>The first rows as data</h3>
          <ol class="code block first-rows" tabIndex={0} aria-label="The first rows as data">
            {readable.slice(0, mostShown).map(({ row, data }) => (
              <li key={row}>{data.length > mostLength ? `${data.slice(0, mostLength)}…` : data}</li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

function Verdict({ rows, rejected, isAll }: { rows: number; rejected: number | null; isAll: boolean }) {
  const which = isAll ? countOf(rows, 'row') : `the first ${countOf(rows, 'row')}`
  if (rejected === null) return <Note icon="time">Checking {which}…</Note>
  if (rejected === 0) {
    const all = isAll ? `${countOf(rows, 'row')} would be imported, none rejected` : `All of ${which} would be imported`
    return (
      <Note tone="good" icon="done">
        {all}.
      </Note>
    )
  }
  return (
    <Note tone="warn">
      <b>
        {rejected} of {which} would be rejected.
      </b>{' '}
      The other rows can still be imported. You can save rejected rows as a file, with the reasons.
    </Note>
  )
}

import { route } from '#client/src/transport.ts'
import { Button, Link } from '#services/dashboard/parts/controls/button.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { count, countOf, sentence } from '#services/dashboard/parts/display/text.tsx'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import type { BulkKind } from './bulk-change.ts'
import type { BulkOutcome } from './bulk-run.ts'

type BulkReportProps = { list: string; kind: BulkKind; outcome: BulkOutcome; onClose: () => void }

/** The result of a bulk change that did not succeed for all items. */
export function BulkReport({ list, kind, outcome, onClose }: BulkReportProps) {
  const { done, unchanged, failed, failures, unknown, end, error } = outcome
  const verb = kind === 'delete' ? 'deleted' : 'changed'
  return (
    <div class="form">
      <Note tone={end === 'stopped' ? 'warn' : 'bad'}>
        <b>{countOf(done, `item was ${verb}`, `items were ${verb}`)}.</b>
        <div role="alert">
          {unchanged > 0 && `${countOf(unchanged, 'item')} needed no change. `}
          {end === 'stopped' && 'Stopped. The other items are unchanged. '}
          {error && `${messageOf(error)} `}
          {end === 'broken' && unknown === 0 && 'The other items are unchanged. '}
          {unknown > 0 &&
            `No answer came for ${countOf(unknown, 'item')}: check whether they were ${verb}. The other items are unchanged. `}
          {failed > 0 && `${countOf(failed, 'item was', 'items were')} rejected.`}
        </div>
      </Note>
      {failures.length > 0 && (
        <ul class="failures" aria-label="Rejected items">
          {failures.map(({ item, message }) => (
            <li key={item}>
              <Link to={route`/lists/${list}/items/${item}`}>
                <code>{item}</code>
              </Link>
              <span>{sentence(message)}</span>
            </li>
          ))}
          {failed > failures.length && <li class="muted">And {count(failed - failures.length)} more.</li>}
        </ul>
      )}
      <div class="ends">
        <Button onPress={onClose}>Close</Button>
      </div>
    </div>
  )
}

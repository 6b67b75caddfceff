import { type Planned, reportOf } from '#client/src/calls/sync.ts'
import type { MoveReport } from '#client/src/types/sync-resources.ts'
import { hasChanges } from '#shared/domain/sync/plan-words.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { countOf, sentence } from '../../parts/display/text.tsx'
import { Loaded, Problem } from '../../parts/problems/problem.tsx'

/** Lists by id or path name, or all lists of a scope, and their new scope; null: no scope. */
export type Move = ({ lists: string[] } | { fromScope: string }) & { scope: string | null }

type MoveDialogProps = { what: Move; onMoved: () => void; onClose: () => void }

/** Shows the effects of a move between scopes, and performs it. */
export function MoveDialog({ what, onMoved, onClose }: MoveDialogProps) {
  const { run, busy, error } = useSaving()
  const plan = useResource(`move ${JSON.stringify(what)}`, (signal) =>
    reportOf(client.sync.move(what, { dryRun: true, signal })),
  )
  const move = async () => {
    if (await run(() => client.sync.move(what), { said: 'The lists were moved.', stale: '' })) onMoved()
  }
  const isReady = plan.data !== undefined && plan.data.blockedBy === null && hasChanges(plan.data)
  return (
    <Dialog title={what.scope === null ? 'Release lists' : `Move lists to ${what.scope}`} onClose={onClose}>
      <div class="stack">
        <Loaded resource={plan}>{(report) => <MovePlan report={report} />}</Loaded>
        {error && <Problem error={error} />}
        <div class="form">
          <div class="ends">
            <Button onPress={onClose}>Cancel</Button>
            <Button kind="primary" busy={busy} disabled={!isReady} onPress={move}>
              {what.scope === null ? 'Release' : 'Move'}
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  )
}

const mostShown = 100

function MovePlan({ report }: { report: Planned<MoveReport> }) {
  const { scope, changes, warnings, summary } = report
  const lists = changes.filter(({ resourceType, action }) => resourceType === 'list' && action !== 'no-change')
  const indexes = changes.filter(
    ({ resourceType, action }) => resourceType === 'index' && action !== 'no-change',
  ).length
  if (lists.length === 0)
    return <p>{scope === null ? 'They already have no scope.' : `${scope} already manages them.`}</p>
  return (
    <>
      <p>
        {scope === null ? 'No scope manages these lists from now on' : `${scope} manages these lists from now on`}
        {indexes > 0 && `, and ${countOf(indexes, 'index', 'indexes')} with them`}. Their items stay as they are.
      </p>
      <ul class="errors">
        {lists.slice(0, mostShown).map(({ list, fields, errors = [] }) => (
          <li key={list}>
            <code>{list}</code>{' '}
            {typeof fields?.scope?.from === 'string' && <span class="muted">from {fields.scope.from}</span>}
            {errors.map(({ message }) => (
              <div key={message} class="bad said">
                {sentence(message)}
              </div>
            ))}
          </li>
        ))}
        {lists.length > mostShown && <li>and {countOf(lists.length - mostShown, 'more list')}</li>}
      </ul>
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
      {summary.error > 0 && (
        <Note tone="bad">{countOf(summary.error, 'change')} cannot be applied, so none will be.</Note>
      )}
    </>
  )
}

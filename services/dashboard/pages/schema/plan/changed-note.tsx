import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import type { PlannedSync } from '../sync-draft.ts'
import { changeName } from './change-row.tsx'
import { planDifference } from './plan-groups.ts'

const mostShown = 20

/** Reports that the plan differs from the one shown before, and how. */
export function ChangedNote({ before, after }: { before: PlannedSync; after: PlannedSync }) {
  const { now, gone } = planDifference(before.changes, after.changes)
  return (
    <Note tone="warn">
      <div role="alert">
        <b>The lists have changed since the plan was computed, so nothing was applied.</b> This is the new plan.{' '}
        {now.size > 0 &&
          `${countOf(now.size, 'change is marked', 'changes are marked')} below: new, or different from before.`}
      </div>
      {gone.length > 0 && (
        <>
          <p>No longer in the plan:</p>
          <ul class="errors">
            {gone.slice(0, mostShown).map((change) => (
              <li key={changeName(change)}>
                {change.action} {changeName(change)}
              </li>
            ))}
            {gone.length > mostShown && <li>and {countOf(gone.length - mostShown, 'more change')}</li>}
          </ul>
        </>
      )}
    </Note>
  )
}

import { Switch, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { type Consent, destruction, neededConsents } from '#shared/domain/sync/plan-words.ts'
import type { PlannedSync } from '../sync-draft.ts'

/** What the user has confirmed: rebuilds with a switch, a destruction by typing a text. */
export type Given = { rebuild: boolean; typed: string }

export const noneGiven: Given = { rebuild: false, typed: '' }

/** Whether the user has confirmed something. @param destroys the text to type for the plan; null: nothing is destroyed */
export function isGiven(consent: Consent, given: Given, destroys: { typed: string } | null): boolean {
  return consent === 'allowRebuild' ? given.rebuild : destroys !== null && given.typed.trim() === destroys.typed
}

type ConsentsProps = { report: PlannedSync; given: Given; onGiven: (given: Given) => void }

/** Asks only for the confirmations that the plan needs. */
export function Consents({ report, given, onGiven }: ConsentsProps) {
  const needed = neededConsents(report)
  const destroys = destruction(report)
  if (needed.length === 0) return null
  const rebuilds = report.changes.filter(({ build }) => build?.requiresConfirmation)
  return (
    <section class="card" aria-label="Confirmation">
      <div class="in form">
        {needed.includes('allowRebuild') && (
          <Switch
            label={`Rebuild ${countOf(rebuilds.length, 'index', 'indexes')}`}
            help="Until an index is rebuilt, requests that read by it fail with INDEX_BUILDING."
            on={given.rebuild}
            onChange={(rebuild) => onGiven({ ...given, rebuild })}
          />
        )}
        {needed.includes('allowDestructive') && destroys && (
          <>
            <p class="destroys">
              <b>{destroys.sentence}</b> {lost(report)}
            </p>
            <div class="typed">
              <TextField
                label={`Type ${destroys.typed} to confirm`}
                value={given.typed}
                onValue={(typed) => onGiven({ ...given, typed })}
                autocomplete="off"
                mono
              />
            </div>
          </>
        )}
      </div>
    </section>
  )
}

/** A warning if lists with items are deleted: they cannot be restored. */
function lost({ changes }: PlannedSync): string {
  const lists = changes.filter(({ resourceType, delete: deletion }) => resourceType === 'list' && deletion?.destructive)
  return lists.length > 0
    ? `They are deleted with ${countOf(lists.length, 'list')}. Items of a deleted list cannot be restored.`
    : ''
}

import { toListdError } from '../../api/errors.ts'
import { keysIn, schemeIn } from '../../api/preference-values.ts'
import { changePreferences, usePreferences } from '../../api/preferences.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Choice, Switch } from '../../parts/controls/field.tsx'
import { Loaded, messageOf, Skeleton } from '../../parts/problems/problem.tsx'
import { showScheme } from '../../parts/scheme.ts'

const schemes = [
  { value: 'system', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** The appearance and the keyboard shortcuts of the dashboard. A choice is stored at once. */
export function PreferenceSwitches() {
  const preferences = usePreferences()
  return (
    <Loaded resource={preferences} skeleton={<Skeleton lines={2} />}>
      {(kept) => (
        <div class="form">
          <Choice
            label="Appearance"
            value={schemeIn(kept) ?? 'system'}
            choices={schemes}
            onValue={(value) => {
              const scheme = value === 'system' ? null : value
              showScheme(scheme)
              store({ scheme }, () => showScheme(schemeIn(kept)))
            }}
          />
          <Switch
            label="Single keys"
            help="For example / to search and g l to go to lists; ? shows all of them. Ctrl K and Ctrl S always work."
            on={keysIn(kept)}
            onChange={(keys) => store({ keys })}
          />
        </div>
      )}
    </Loaded>
  )
}

function store(changes: { scheme?: 'light' | 'dark' | null; keys?: boolean }, undo?: () => void): void {
  changePreferences(() => changes).catch((failure) => {
    undo?.()
    announce(`This was not saved. ${messageOf(toListdError(failure))}`, { bad: true })
  })
}

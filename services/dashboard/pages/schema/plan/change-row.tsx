import type { SyncChange } from '#client/src/types/sync-resources.ts'
import { Pill, type Tone } from '#services/dashboard/parts/display/marks.tsx'
import { sentence } from '#services/dashboard/parts/display/text.tsx'
import { type Consent, consentsOf, effectWords, fieldWords } from '#shared/domain/sync/plan-words.ts'
import { FailingItems } from '../../list-schema/stored-check.tsx'
import { FieldChange } from './field-change.tsx'
import { StartedBuild } from './started-build.tsx'

const tones: Readonly<Record<SyncChange['action'], Tone | undefined>> = {
  create: 'good',
  update: 'accent',
  adopt: 'accent',
  delete: 'bad',
  error: 'bad',
  'no-change': undefined,
}

/** The name of what changes. */
export const changeName = ({ list, index }: { list: string; index?: string }) =>
  index === undefined ? `list ${list}` : `index ${index} of ${list}`

type ChangeRowProps = {
  change: SyncChange
  /** The created list or index, in a few words. */
  created: string
  /** How the change differs from the plan that was shown before. */
  mark: 'new' | 'changed' | undefined
  isApplied: boolean
}

/** A change of a list or an index: its action, `from → to` for each field, its build, its mismatches, warnings and errors. */
export function ChangeRow({ change, created, mark, isApplied }: ChangeRowProps) {
  const { action, resourceType, list, index, build, mismatches, warnings = [], errors = [] } = change
  return (
    <div class="change">
      <span>
        <Pill tone={tones[action]}>{action}</Pill>
      </span>
      <div class="stack">
        <div>
          <b>{resourceType === 'list' ? 'List' : `Index ${index}`}</b> {mark && <Pill tone="warn">{mark}</Pill>}{' '}
          <span class="muted">{created}</span>
        </div>
        {fieldWords(change).map((words) => (
          <FieldChange
            key={words.name}
            words={words}
            from={change.fields?.[words.name]?.from}
            to={change.fields?.[words.name]?.to}
          />
        ))}
        {effectWords(change).map(({ verb, object }) => (
          <div key={verb} class={verb === 'deletes' ? 'bad said' : verb === 'rebuild' ? 'warn said' : undefined}>
            {sentence(`${verb} ${object}`)}
          </div>
        ))}
        {warnings.map((warning) => (
          <div key={warning} class="warn said">
            {sentence(warning)}
          </div>
        ))}
        {mismatches && mismatches.items.length > 0 && (
          <details>
            <summary>Items that do not match</summary>
            <FailingItems list={list} mismatches={mismatches} />
          </details>
        )}
        {errors.map(({ message }) => (
          <div key={message} class="bad said">
            {sentence(message)}
          </div>
        ))}
      </div>
      <span>
        {isApplied && index !== undefined && build?.buildStatus === 'building' ? (
          <StartedBuild list={list} index={index} />
        ) : (
          !isApplied && consentsOf(change).map((consent) => <Needs key={consent} consent={consent} />)
        )}
      </span>
    </div>
  )
}

function Needs({ consent }: { consent: Consent }) {
  return <Pill tone={consent === 'allowRebuild' ? 'warn' : 'bad'}>needs confirmation</Pill>
}

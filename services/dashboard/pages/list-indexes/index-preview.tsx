import { useEffect, useState } from 'preact/hooks'
import type { Index, IndexTrial, List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { useResource } from '../../api/resource.ts'
import { Note } from '../../parts/display/marks.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { Duplicates } from './failed-build.tsx'
import type { IndexDraft } from './index-draft.ts'

type PreviewProps = { list: List; index: Index | null; draft: IndexDraft }

/** The values that an index would have, before anything is built. */
export function IndexPreview({ list, index, draft }: PreviewProps) {
  const { valueType } = draft
  const pointer = usePaused(draft.pointer)
  const isAsked = itemsIn(list) > 0 && !list.readonly && !draft.guard && index?.guard !== true && pointer !== ''
  const trial = useResource(isAsked ? `index trial ${list.id} ${valueType} ${pointer}` : null, (signal) =>
    // Use a name that no index has: this checks the values, not whether the index is allowed.
    client.list(list.id).indexes.try({ pathName: trialName, pointer, valueType }, { signal }),
  )
  if (itemsIn(list) === 0) return <p class="muted">The list has no items, so the index is ready at once.</p>
  if (draft.guard) return <p class="muted">A guard index stores no values. It hides them from API tokens.</p>
  if (!isAsked) return null
  if (trial.error) return <Problem error={trial.error} onRetry={trial.reload} />
  if (!trial.data || trial.isOld || pointer !== draft.pointer) return <p class="muted">Checking the stored items…</p>
  return <Trial list={list} draft={draft} trial={trial.data} />
}

/** A value that has not changed for a moment: the service checks many items for each one. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), 400)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

const trialName = '__trial__'

function Trial({ list, draft, trial }: { list: List; draft: IndexDraft; trial: IndexTrial }) {
  const { sample, duplicates } = trial
  return (
    <div class="stack" role="status">
      <p>{heldInWords(trial, draft)}</p>
      {sample.length > 0 && (
        <p class="samples">
          {sample.map(({ itemId, value }) => (
            <code key={itemId}>{typeof value === 'number' ? String(value) : JSON.stringify(value)}</code>
          ))}
        </p>
      )}
      {duplicates.length > 0 &&
        (draft.alias ? (
          <Note tone="bad">
            <b>
              {duplicates.length === 10 ? 'At least ' : ''}
              {countOf(duplicates.length, 'value')} {duplicates.length === 1 ? 'belongs' : 'belong'} to several items.
            </b>{' '}
            An alias must be unique, so the build would fail. Change these items first.
            <Duplicates list={list} duplicates={duplicates} />
          </Note>
        ) : (
          <p class="muted">Several items have the same value, so the index cannot be an alias.</p>
        ))}
    </div>
  )
}

function heldInWords({ items, missing }: IndexTrial, { pointer, valueType }: IndexDraft): string {
  const held = items - missing
  const all = items === 1 ? 'The checked item has' : `All ${count(items)} checked items have`
  if (missing === 0) return `${all} a ${valueType} at ${pointer}.`
  if (held === 0) return `No checked item has a ${valueType} at ${pointer}: the index would be empty.`
  const [without, them] = missing === 1 ? ['1 has', 'it'] : [`${count(missing)} have`, 'them']
  return `${count(held)} of ${count(items)} checked items have a ${valueType} at ${pointer}. ${without} no such value, and the index would not find ${them}.`
}

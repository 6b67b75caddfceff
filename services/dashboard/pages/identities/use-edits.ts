import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { usePageKeys } from '../../parts/page-keys.ts'

type Edited<D, C> = {
  /** What the form shows before somebody edits it. */
  stored: D
  /** The fields of a draft that are not as they are stored. */
  changesOf: (draft: D) => C
  write: (changes: C) => PromiseLike<unknown>
  /** What is told when it was written. */
  said: string
  /** How the keys begin of what is read again then. */
  stale: string
}

/** What a form holds of something stored, with what saving sends and what an answer says of its fields. */
export function useEdits<D extends object, C extends object>({ stored, changesOf, write, said, stale }: Edited<D, C>) {
  const [edits, setEdits] = useState<Partial<D>>({})
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const draft: D = { ...stored, ...edits }
  const changes = changesOf(draft)
  const discard = () => {
    setEdits({})
    setError(undefined)
  }
  const save = async () => {
    if (busy || Object.keys(changes).length === 0) return
    setBusy(true)
    try {
      await write(changes)
      discard()
      announce(said)
      refresh(stale)
    } catch (failure) {
      setError(toListdError(failure))
    }
    setBusy(false)
  }
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  const edit = (more: Partial<D>) => setEdits((now) => ({ ...now, ...more }))
  const problems: ReadonlyMap<string, string> = error ? fieldErrors(error) : new Map()
  return { draft, changes, edit, save, discard, busy, error, problems }
}

import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { changedFields, laterEdits } from './changed-fields.ts'
import { type Problems, refreshAll, useSaving } from './use-saving.ts'

type NamesOf<D, T> = { [Name in keyof D]: D[Name] extends T ? Name : never }[keyof D]

/** The members of a draft that are texts or booleans. */
export type Inputs<D> = {
  /** The props of a `TextField` for a text member. */
  text(name: NamesOf<D, string>): { value: string; problem: string | undefined; onValue: (value: string) => void }
  /** The props of a `Switch` for a boolean member. */
  flag(name: NamesOf<D, boolean>): { on: boolean; onChange: (on: boolean) => void }
}

/** A form, as its fields use it. */
export type FormOf<D> = Inputs<D> & { draft: D; edit: (more: Partial<D>) => void; problems: Problems }

type Edited<D, C, W> = {
  /** What the form shows before any edit: the state that was read last. */
  stored: D
  /** The part of a draft that a save sends; its members are counted as changes. Default: the fields that differ from what is stored. */
  changesOf?: (draft: D) => C
  write: (changes: C) => PromiseLike<W>
  /** Announced after a save. */
  said?: string
  /** Prefix of the keys that are read again after a save. */
  stale?: string | readonly string[]
  /** Problems of a draft that are found before it is sent. */
  check?: (draft: D) => Problems
  /** Problems of fields, read from an error of the server. */
  problemsOf?: (error: ListdError) => Problems
}

/**
 * Edits of something stored. Only edited fields are sent, so changes by others to other fields are kept, and appear in the form once they are read.
 */
export function useEdits<D extends object, C extends object = Partial<D>, W = unknown>(edited: Edited<D, C, W>) {
  const { stored, changesOf, write, said, stale = [], check, problemsOf } = edited
  const [edits, setEdits] = useState<Partial<D>>({})
  const { run, reject, clear, ...saving } = useSaving(problemsOf)
  const draft: D = { ...stored, ...edits }
  const changes = changesOf ? changesOf(draft) : (changedFields(stored, edits) as unknown as C)
  const changed = Object.keys(changes).length
  const save = () => {
    if (changed === 0) return
    const wrong = check?.(draft)
    if (wrong && wrong.size > 0) return reject(wrong)
    const work = async () => {
      await write(changes)
      // Until the stored state is read again, the form shows what was sent. The user may have typed more in between.
      await refreshAll(stale)
      setEdits((now) => laterEdits(now, edits))
    }
    run(work, said === undefined ? {} : { said })
  }
  const discard = () => {
    setEdits({})
    clear()
  }
  const edit = (more: Partial<D>) => setEdits((now) => ({ ...now, ...more }))
  const set = (name: keyof D, value: unknown) => edit({ [name]: value } as Partial<D>)
  const inputs: Inputs<D> = {
    text: (name) => ({
      value: draft[name] as string,
      problem: saving.problems.get(String(name)),
      onValue: (value) => set(name, value),
    }),
    flag: (name) => ({ on: draft[name] as boolean, onChange: (on) => set(name, on) }),
  }
  return { draft, edits, edit, changes, changed, save, discard, ...inputs, ...saving }
}

import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { changedFields, laterEdits } from './changed-fields.ts'
import { type Problems, refreshAll, useSaving } from './use-saving.ts'

type NamesOf<D, T> = { [Name in keyof D]: D[Name] extends T ? Name : never }[keyof D]

/** The members of a draft that are texts, or switches. */
export type Inputs<D> = {
  /** What a `TextField` shows of one, and does with it. */
  text(name: NamesOf<D, string>): { value: string; problem: string | undefined; onValue: (value: string) => void }
  /** What a `Switch` shows of one, and does with it. */
  flag(name: NamesOf<D, boolean>): { on: boolean; onChange: (on: boolean) => void }
}

/** A form as its fields see it. */
export type FormOf<D> = Inputs<D> & { draft: D; edit: (more: Partial<D>) => void; problems: Problems }

type Edited<D, C, W> = {
  /** What the form shows before somebody edits it: as it was read last. */
  stored: D
  /** What a save sends of a draft; its members are counted as changes. Without it: the fields that are not as they are stored. */
  changesOf?: (draft: D) => C
  write: (changes: C) => PromiseLike<W>
  /** What is announced when it was written. */
  said?: string
  /** How the keys begin of what is read again then. */
  stale?: string | readonly string[]
  /** What is wrong with a draft before it is sent. */
  check?: (draft: D) => Problems
  /** What an answer says of the fields of the form. */
  problemsOf?: (error: ListdError) => Problems
}

/**
 * Edits over something stored. Only what was edited is sent: what others have changed meanwhile stays, and shows in the form as soon
 * as it is read again.
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
      // Until what is stored is read again the form shows what was sent. Somebody may have typed on meanwhile.
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

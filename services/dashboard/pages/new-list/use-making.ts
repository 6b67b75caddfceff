import { useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { randomId } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { refresh } from '../../api/reader.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { addItems } from './add-items.ts'
import { createList, mayBeDone } from './create-list.ts'
import { documentOf, type ListDraft, nothingRejected, pathNameTaken, type Rejected, rejectedIn } from './list-draft.ts'

/** The progress of creating a list. */
export type Progress = {
  busy: boolean
  /** The path name of the list, once it is created; its items may still be missing. */
  created: string | null
  added: number
  rejected: Rejected
  error: ListdError | undefined
}

const start: Progress = { busy: false, created: null, added: 0, rejected: nothingRejected, error: undefined }

/** Creates a list, adds items, and opens the list. A new try does not repeat what an earlier one has done. */
export function useMaking(): Progress & { make(draft: ListDraft, items: readonly string[]): Promise<void> } {
  const [progress, setProgress] = useState(start)
  const latest = useRef(start)
  // The document and items of the previous try, which may have been stored although no response arrived.
  const tried = useRef({ document: '', items: '', key: '' })
  const set = (changes: Partial<Progress>) => {
    latest.current = { ...latest.current, ...changes }
    setProgress(latest.current)
  }

  const makeList = async (draft: ListDraft): Promise<boolean> => {
    const document = documentOf(draft)
    const text = JSON.stringify(document)
    const mayExist = tried.current.document === text
    try {
      if ((await createList(client, document, { mayExist })) === 'created') return true
      set({ rejected: { ...nothingRejected, pathName: pathNameTaken } })
    } catch (failure) {
      const error = toListdError(failure)
      if (mayBeDone(error)) tried.current.document = text
      const rejected = rejectedIn(error, draft.pathName)
      set(rejected ? { rejected } : { error })
    }
    return false
  }

  const add = async (list: string, items: readonly string[]) => {
    const text = items.join('\n')
    if (tried.current.items !== text) tried.current = { ...tried.current, items: text, key: randomId() }
    const { added } = latest.current
    await addItems(client, list, items, { added, key: tried.current.key, onAdded: (now) => set({ added: now }) })
  }

  const make = async (draft: ListDraft, items: readonly string[]) => {
    set({ busy: true, rejected: nothingRejected, error: undefined })
    const list = latest.current.created ?? ((await makeList(draft)) ? draft.pathName : null)
    set({ created: list })
    if (list !== null) {
      await add(list, items).then(
        () => {
          announce(`${list} was created${items.length > 0 ? `, with ${countOf(items.length, 'item')}` : ''}.`)
          navigate(route`/lists/${list}`, { unasked: true })
        },
        (failure) => set({ error: toListdError(failure) }),
      )
      refresh('lists')
    }
    set({ busy: false })
  }

  return { ...progress, make }
}

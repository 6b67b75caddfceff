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

/** How far the making of a list is. */
export type Progress = {
  busy: boolean
  /** The path name of the list, when it is there but not all of its items. */
  created: string | null
  added: number
  rejected: Rejected
  error: ListdError | undefined
}

const start: Progress = { busy: false, created: null, added: 0, rejected: nothingRejected, error: undefined }

/** Makes a list, adds items, and then goes there. What an earlier try has done is not done again. */
export function useMaking(): Progress & { make(draft: ListDraft, items: readonly string[]): Promise<void> } {
  const [progress, setProgress] = useState(start)
  const latest = useRef(start)
  // Of the try before: what it wanted to make and add, which may be done although no answer came.
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

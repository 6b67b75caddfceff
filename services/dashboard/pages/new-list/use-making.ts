import { useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { randomId } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { addItems } from './add-items.ts'
import { createList, mayBeDone } from './create-list.ts'
import { documentOf, type ListDraft, nothingRefused, pathNameTaken, type Refused, refusedIn } from './list-draft.ts'

/** How far the making of a list is. */
export type Progress = {
  busy: boolean
  /** The path name of the list, when it is there but not all of its items. */
  made: string | null
  added: number
  refused: Refused
  error: ListdError | undefined
}

const start: Progress = { busy: false, made: null, added: 0, refused: nothingRefused, error: undefined }

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
    const mayBeMade = tried.current.document === text
    try {
      if ((await createList(client, document, { mayBeMade })) === 'made') return true
      set({ refused: { ...nothingRefused, pathName: pathNameTaken } })
    } catch (failure) {
      const error = toListdError(failure)
      if (mayBeDone(error)) tried.current.document = text
      const refused = refusedIn(error, draft.pathName)
      set(refused ? { refused } : { error })
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
    set({ busy: true, refused: nothingRefused, error: undefined })
    const list = latest.current.made ?? ((await makeList(draft)) ? draft.pathName : null)
    set({ made: list })
    if (list !== null) {
      await add(list, items).then(
        () => {
          announce(`${list} is made${items.length > 0 ? `, with ${countOf(items.length, 'item')}` : ''}.`)
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

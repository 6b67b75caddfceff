import { useEffect, useRef, useState } from 'preact/hooks'
import { RawJson } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '#services/dashboard/address/location.ts'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useRunning } from '#services/dashboard/forms/use-saving.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { aliasOf } from '../../lists/item-title.ts'
import { refreshItems } from '../../lists/list-items.ts'
import { type ItemText, readItem } from '../item-text.ts'
import { type Draft, useDraft } from '../use-draft.ts'

/** The draft of an item's data, and its actions. */
export type ItemDraft = Draft & {
  busy: boolean
  /** Stores the data if they changed. If somebody else saved the item since it was read, opens the three-way view instead. */
  save(): void
  discard(): void
  /** The version that somebody else saved since the draft started; null: there is none. */
  theirs: ItemText | null
  /** Opens the three-way view. */
  compare(): void
  /** The three-way view, while it is open. */
  merge: {
    texts: { base: string; mine: string; theirs: string }
    onSave: (data: string) => void
    onEdit: (data: string) => void
    onDiscard: () => void
    onClose: () => void
  } | null
}

type Settings = {
  list: string
  /** The item as the address names it: by its id or its alias. */
  name: string
  /** The item as it was read last. */
  item: ItemText
  aliasPointer: string | undefined
}

export function useItemDraft(settings: Settings): ItemDraft {
  const { list, item } = settings
  const stored = useRef(item)
  const [theirs, setTheirs] = useState<ItemText | null>(null)
  /** The draft's data in the three-way view; null: the view is closed. */
  const [merging, setMerging] = useState<string | null>(null)
  const draft = useCheckedDraft(list, stored)
  const { base } = draft
  useEffect(() => follow({ item, draft, stored, setTheirs }), [item])
  const announceSaved = useSavedAnnouncement(settings, draft.isChanged)
  const { busy, run } = useRunning(draft.reject)
  const goOn = (now: ItemText) => {
    stored.current = now
    setTheirs(null)
    setMerging(null)
  }
  const restart = (now: ItemText, data = now.data) => {
    goOn(now)
    draft.restart(now.data, data)
  }
  const readTheirs = async (mine: string) => {
    setTheirs(await readNow(list, item.id))
    setMerging(mine)
  }
  const write = (data: string, over: ItemText) =>
    run(async () => {
      const saved = await store(list, over, data)
      if (!saved) return readTheirs(data)
      goOn(saved)
      draft.rebase(saved.data)
      announceSaved(saved)
    })
  const saveMerged = (over: ItemText, data: string) => {
    restart(over, data)
    if (data !== over.data) write(data, over)
  }
  const withData = (use: (data: string) => void) => () => {
    const data = draft.read()
    if (data !== null) use(data)
  }
  return {
    ...draft,
    busy,
    theirs,
    save: withData((data) => data !== base && write(data, stored.current)),
    compare: withData((data) => run(() => readTheirs(data))),
    discard: () => restart(theirs ?? stored.current),
    merge:
      theirs === null || merging === null
        ? null
        : {
            texts: { base, mine: merging, theirs: theirs.data },
            onSave: (data) => saveMerged(theirs, data),
            onEdit: (data) => restart(theirs, data),
            onDiscard: () => restart(theirs),
            onClose: () => setMerging(null),
          },
  }
}

const readNow = async (list: string, id: string) => readItem(await client.list(list).get(id).text())

/** A draft that the server checks as a change of the stored item. */
function useCheckedDraft(list: string, stored: RefObject<ItemText>): Draft {
  return useDraft(stored.current.data, (data, signal) => {
    const { id, etag } = stored.current
    const options = { ifMatch: etag, dryRun: true, includeData: false, signal }
    return client.list(list).update(id, { data: new RawJson(data) }, options)
  })
}

type RefObject<T> = { current: T }
type Following = {
  item: ItemText
  draft: Draft
  stored: RefObject<ItemText>
  setTheirs: (theirs: ItemText) => void
}

/** Handles an item that was read again: an unchanged draft restarts from it, and a changed draft stays, with the item as `theirs`. */
function follow({ item, draft, stored, setTheirs }: Following): void {
  if (item.data === draft.base) stored.current = item
  else if (draft.isChanged) setTheirs(item)
  else {
    stored.current = item
    draft.restart(item.data)
  }
}

/** Stores data, if the item has not changed since it was read. @returns null: somebody else has changed it. @throws ListdError */
async function store(list: string, { id, etag }: ItemText, data: string): Promise<ItemText | null> {
  try {
    return readItem(
      await client
        .list(list)
        .update(id, { data: new RawJson(data) }, { ifMatch: etag })
        .text(),
    )
  } catch (failure) {
    if (toListdError(failure).name === 'ITEM_PRECONDITION_FAILED') return null
    throw failure
  }
}

/** Returns a function that announces a save. If the page's address has the item's alias, and the alias changed, it also changes the address. */
function useSavedAnnouncement({ list, name, item: { id }, aliasPointer }: Settings, isChanged: boolean) {
  const [movedTo, setMovedTo] = useState<string | null>(null)
  // Wait until nothing is unsaved: the user may have typed more during the save.
  useEffect(() => {
    if (movedTo !== null && !isChanged) navigate(movedTo, { replace: true, unasked: true })
  }, [movedTo, isChanged])
  return (saved: ItemText) => {
    announce(`Saved as version ${saved.version}.`)
    const alias = aliasOf(saved.data, aliasPointer)
    const hasMoved = name !== id && aliasPointer !== undefined && alias !== name
    setMovedTo(hasMoved ? route`/lists/${list}/items/${alias || id}` : null)
    if (!hasMoved) refreshItems(list)
  }
}

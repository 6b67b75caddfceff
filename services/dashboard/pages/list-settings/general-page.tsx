import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { List } from '#client/src/resources.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { usePageKeys } from '../../parts/page-keys.ts'
import { Problem } from '../../parts/problem.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { ListPage, listKey } from '../lists/list-page.tsx'
import { DeleteList } from './delete-list.tsx'
import { changesOf, draftOf, type ListDraft } from './list-draft.ts'
import { ListFieldset, ListFlags, listProblems } from './list-form.tsx'
import { ManagedNote } from './managed-note.tsx'
import { SaveBar, updateCall } from './save-bar.tsx'

/** What a list is called and what may be done with it. */
export function GeneralPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Settings">
      {(list) => <General key={list.id} name={name} list={list} />}
    </ListPage>
  )
}

/** @param name as the address has it: path name or id */
function General({ name, list }: { name: string; list: List }) {
  const { draft, edit, changes, changed, isLocked, save, discard, busy, error, warnings } = useListForm(name, list)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [error])
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  return (
    <>
      <form
        ref={form}
        class="settings"
        aria-label="Settings of the list"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {list.scope !== null && <ManagedNote scope={list.scope} />}
        {error && listProblems(error).size === 0 && <Problem error={error} />}
        <Warnings warnings={warnings} />
        <ListFieldset list={list} draft={draft} edit={edit} error={error} isLocked={isLocked} />
        <ListFlags draft={draft} edit={edit} isLocked={isLocked} />
        <DeleteList list={list} />
      </form>
      <SaveBar
        what="What you changed of the settings"
        changed={changed}
        busy={busy}
        onSave={save}
        onDiscard={discard}
        call={updateCall(name, JSON.stringify(changes))}
      />
    </>
  )
}

function useListForm(name: string, list: List) {
  const [edits, setEdits] = useState<Partial<ListDraft>>({})
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const draft = { ...draftOf(list), ...edits }
  const changes = changesOf(list, draft)
  const changed = Object.keys(changes).length
  const discard = () => {
    setEdits({})
    setError(undefined)
  }
  const save = async () => {
    if (changed === 0 || busy) return
    setBusy(true)
    try {
      const written = await client.lists.update(list.id, changes)
      setWarnings(written.warnings ?? [])
      announce('The settings were saved.')
      discard()
      follow(name, list, written)
    } catch (failure) {
      setError(toListdError(failure))
    }
    setBusy(false)
  }
  const edit = (change: Partial<ListDraft>) => setEdits({ ...edits, ...change })
  /** Whether the list stays readonly, so that nothing else can be saved. */
  const isLocked = list.readonly && draft.readonly
  return { draft, edit, changes, changed, isLocked, save, discard, busy, error, warnings }
}

/** Shows the list as it is now; an address that has its path name becomes that of the new one. */
function follow(name: string, before: List, { id, pathName }: List): void {
  refresh('lists')
  if (pathName !== before.pathName && name !== id)
    navigate(route`/lists/${pathName}/settings`, { replace: true, unasked: true })
  else refresh(listKey(name))
}

import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh } from '../../api/reader.ts'
import { Form } from '../../forms/form.tsx'
import { SaveBar } from '../../forms/save-bar.tsx'
import { useEdits } from '../../forms/use-edits.ts'
import { Problem } from '../../parts/problems/problem.tsx'
import { Warnings } from '../../parts/problems/warnings.tsx'
import { ListPage, listKey } from '../lists/list-page.tsx'
import { DeleteList } from './delete-list.tsx'
import { changesOf, draftOf, type ListDraft, updateCall } from './list-draft.ts'
import { ListFieldset, ListFlags, listProblems } from './list-form.tsx'
import { ManagedNote } from './managed-note.tsx'

/** The names and flags of a list. */
export function GeneralPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Settings">
      {(list) => <General key={list.id} name={name} list={list} />}
    </ListPage>
  )
}

/** @param name path name or id, from the address */
function General({ name, list }: { name: string; list: List }) {
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const form = useEdits({
    stored: draftOf(list),
    changesOf: (draft: ListDraft) => changesOf(list, draft),
    write: async (changes) => {
      const written = await client.lists.update(list.id, changes)
      setWarnings(written.warnings ?? [])
      follow(name, list, written)
    },
    said: 'The settings were saved.',
    problemsOf: listProblems,
  })
  const { draft, changes, problems, other, save } = form
  /** Whether the list is readonly and stays so: then nothing else can be saved. */
  const isLocked = list.readonly && draft.readonly
  return (
    <>
      <Form class="settings" label="Settings of the list" problems={problems} onSend={save}>
        {list.scope !== null && <ManagedNote scope={list.scope} />}
        {other && <Problem error={other} />}
        <Warnings warnings={warnings} />
        <ListFieldset list={list} form={form} isLocked={isLocked} />
        <ListFlags form={form} isLocked={isLocked} />
        <DeleteList list={list} />
      </Form>
      <SaveBar what="Your changes to the settings" form={form} call={updateCall(name, JSON.stringify(changes))} />
    </>
  )
}

/** Reads the list again. If the address has the path name and it changed, goes to the new address. */
function follow(name: string, before: List, { id, pathName }: List): void {
  refresh('lists')
  if (pathName !== before.pathName && name !== id)
    navigate(route`/lists/${pathName}/settings`, { replace: true, unasked: true })
  else refresh(listKey(name))
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '../../../../client/src/error.ts'
import type { Index, List } from '../../../../client/src/resources.ts'
import { route } from '../../../../client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button, Link, LinkButton } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { Note } from '../../parts/marks.tsx'
import { usePageKeys } from '../../parts/page-keys.ts'
import { Problem } from '../../parts/problem.tsx'
import { sentence } from '../../parts/text.tsx'
import { ManagedNote } from '../list-settings/managed-note.tsx'
import { indexesKey } from '../lists/list-indexes.ts'
import { DeleteIndex } from './delete-index.tsx'
import {
  changesOf,
  consequences,
  draftOf,
  type IndexDraft,
  newDraft,
  proposedPathName,
  proposedType,
} from './index-draft.ts'
import { IndexFieldset, IndexNotes, IndexRoles, indexProblems } from './index-form.tsx'
import { IndexPreview } from './index-preview.tsx'
import { BuildState } from './index-table.tsx'
import { ValuePicker } from './value-picker.tsx'

type EditorProps = {
  /** Of the list, as the address has it. */
  name: string
  list: List
  /** Null: a new one. */
  index: Index | null
  others: readonly Index[]
  /** Of a new one, from the address. */
  pointer: string
}

/** Makes or changes an index: its value is picked in a sample item, and looked at before anything is built. */
export function IndexEditor(props: EditorProps) {
  const { name, list, index, others } = props
  const { draft, edit, pick, isChanged, save, busy, error, call } = useIndexForm(props)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [error])
  usePageKeys([{ key: 'Ctrl s', what: index ? 'Save' : 'Create the index', run: save }])
  const disabled = list.readonly
  const fields = { draft, edit, others, error, disabled }
  const all = route`/lists/${name}/indexes`
  const title = index ? `Index ${index.pathName}` : 'New index'
  return (
    <form
      ref={form}
      class="index-editor"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div class="row index-head">
        <h2 class="grow">{title}</h2>
        {index && <BuildState index={index} />}
        <LinkButton to={all} kind="quiet" icon="close" label="Back to all indexes" />
      </div>
      {disabled && (
        <Note icon="lock">
          The list is readonly: switch that off in its <Link to={route`/lists/${name}/settings`}>settings</Link>.
        </Note>
      )}
      {index?.scope != null && <ManagedNote scope={index.scope} />}
      {error && indexProblems(error).size === 0 && <Problem error={error} />}
      <div class="index-columns">
        <div class="stack">
          <ValuePicker list={list.id} pointer={draft.pointer} onPick={pick} />
          <IndexPreview list={list} index={index} draft={draft} />
        </div>
        <div class="form">
          <IndexFieldset {...fields} />
          <IndexRoles {...fields} />
          <details open={index !== null}>
            <summary>For people</summary>
            <div class="form">
              <IndexNotes {...fields} />
            </div>
          </details>
          {isChanged && <Consequences said={consequences(index, draft, list.itemCount)} />}
          <div class="ends">
            {index && <DeleteIndex name={name} index={index} disabled={disabled} />}
            <div class="grow" />
            {isChanged && <CopyAs call={call} />}
            <Button kind="primary" sends busy={busy} disabled={disabled || !isChanged}>
              {index ? 'Save' : 'Create the index'}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

function Consequences({ said }: { said: readonly string[] }) {
  return said.length === 0 ? null : <Note icon="time">{said.join(' ')}</Note>
}

function useIndexForm({ name, list, index, pointer }: EditorProps) {
  const [edits, setEdits] = useState<Partial<IndexDraft>>({})
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const draft = { ...(index ? draftOf(index) : newDraft(pointer)), ...edits }
  const changes = changesOf(index, draft)
  const isChanged = index ? Object.keys(changes).length > 0 : draft.pathName !== '' || draft.name !== ''
  const edit = (change: Partial<IndexDraft>) => setEdits({ ...edits, ...change })
  const pick = (at: string, value: string) => {
    // A name of one's own stays.
    const isProposed = !index && draft.pathName === proposedPathName(draft.pointer)
    edit({
      pointer: at,
      valueType: proposedType(JSON.parse(value)),
      ...(isProposed && { pathName: proposedPathName(at) }),
    })
  }
  const save = async () => {
    if (!isChanged || busy || list.readonly) return
    setBusy(true)
    setError(undefined)
    try {
      const { indexes } = client.list(list.id)
      const written = index
        ? await indexes.update(index.id, changes)
        : await indexes.create({ ...changes, pointer: draft.pointer })
      refresh(indexesKey(name))
      const building = written.buildStatus === 'building' ? 'It is being built.' : ''
      const said = [`The index ${written.pathName} was saved.`, building, ...(written.warnings ?? []).map(sentence)]
      announce(said.filter(Boolean).join(' '), { bad: written.warnings !== undefined })
      navigate(route`/lists/${name}/indexes`)
    } catch (failure) {
      setError(toListdError(failure))
      setBusy(false)
    }
  }
  const body = JSON.stringify(index ? changes : { ...changes, pointer: draft.pointer })
  return { draft, edit, pick, isChanged, save, busy, error, call: writeCall(name, index, body) }
}

/** The same as a request of one's own. */
function writeCall(name: string, index: Index | null, body: string) {
  const indexes = `listd.list(${JSON.stringify(name)}).indexes`
  if (!index)
    return { method: 'POST', path: route`/lists/${name}/indexes`, body, sdk: `${indexes}.create(${body})` } as const
  const sdk = `${indexes}.update(${JSON.stringify(index.pathName)}, ${body})`
  return { method: 'PUT', path: route`/lists/${name}/indexes/${index.pathName}`, body, sdk } as const
}

import type { ListdError } from '#client/src/error.ts'
import { route } from '#client/src/transport.ts'
import type { Index, IndexFields, List } from '#client/src/types/resources.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { refresh } from '../../api/reader.ts'
import { useEdits } from '../../forms/use-edits.ts'
import { announce } from '../../parts/controls/announce.tsx'
import type { ApiCall } from '../../parts/copy-as/call-text.ts'
import { sentence } from '../../parts/display/text.tsx'
import { indexesKey } from '../lists/list-indexes.ts'
import { changesOf, draftOf, type IndexDraft, newDraft, proposedPathName, proposedType } from './index-draft.ts'

export type IndexEditorProps = {
  /** The name of the list in the address. */
  name: string
  list: List
  /** Null: a new index. */
  index: Index | null
  others: readonly Index[]
  /** The pointer of a new index, from the address. */
  pointer: string
}

/** The state of the form, and the functions that change and save it. */
export type IndexForm = ReturnType<typeof useIndexForm>

export function useIndexForm({ name, list, index, pointer }: IndexEditorProps) {
  const form = useEdits({
    stored: index ? draftOf(index) : newDraft(pointer),
    changesOf: (draft: IndexDraft) => ({ ...changesOf(index, draft), ...(!index && { pointer: draft.pointer }) }),
    write: (sent: IndexFields) => write(name, list, index, sent),
    problemsOf: indexProblems,
  })
  const { draft, edits, edit, changes, changed } = form
  const isChanged = index ? changed > 0 : draft.pathName !== '' || draft.name !== ''
  const pick = (at: string, value: string) => {
    // A path name that the user typed stays.
    const isProposed = !index && draft.pathName === proposedPathName(draft.pointer)
    edit({
      pointer: at,
      valueType: proposedType(JSON.parse(value)),
      ...(isProposed && { pathName: proposedPathName(at) }),
    })
  }
  return {
    ...form,
    pick,
    isChanged,
    isEdited: index ? changed > 0 : Object.keys(edits).length > 0,
    save: () => isChanged && !list.readonly && form.save(),
    call: writeCall(name, index, JSON.stringify(changes)),
  }
}

/** The errors of a response, by field of the form. */
const indexProblems = (error: ListdError) =>
  error.name === 'INDEX_PATH_NAME_TAKEN' ? new Map([['pathName', error.message]]) : fieldErrors(error)

/** Stores the index, announces the result, and returns to the table of indexes. @throws ListdError */
async function write(name: string, list: List, index: Index | null, sent: IndexFields): Promise<void> {
  const { indexes } = client.list(list.id)
  const written = await (index
    ? indexes.update(index.id, sent)
    : indexes.create({ ...sent, pointer: sent.pointer ?? '' }))
  const { pathName, buildStatus, warnings = [] } = written
  const building = buildStatus === 'building' ? ['It is being built.'] : []
  announce([`The index ${pathName} was saved.`, ...building, ...warnings.map(sentence)].join(' '), {
    bad: warnings.length > 0,
  })
  refresh(indexesKey(name))
  navigate(route`/lists/${name}/indexes`, { unasked: true })
}

/** The request that saves the index, to copy. */
function writeCall(name: string, index: Index | null, body: string): ApiCall {
  const indexes = `listd.list(${JSON.stringify(name)}).indexes`
  if (!index) return { method: 'POST', path: route`/lists/${name}/indexes`, body, sdk: `${indexes}.create(${body})` }
  const sdk = `${indexes}.update(${JSON.stringify(index.pathName)}, ${body})`
  return { method: 'PUT', path: route`/lists/${name}/indexes/${index.pathName}`, body, sdk }
}

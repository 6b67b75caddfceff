import type { ListdError } from '#client/src/error.ts'
import { RawJson } from '#client/src/json.ts'
import type { SyncDocument, SyncReport } from '#client/src/types/sync-resources.ts'
import type { IndexProposal } from '#shared/domain/list/propose-indexes.ts'

/** A list that is not created yet. */
export type ListDraft = {
  name: string
  pathName: string
  description: string
  /** JSON text; null: any data. */
  schema: string | null
  indexes: readonly IndexProposal[]
}

/** The draft as a sync document, which creates the list and its indexes together or not at all. */
export function documentOf({ name, pathName, description, schema, indexes }: ListDraft): SyncDocument {
  const list: Record<string, unknown> = { name: name || pathName }
  if (description) list.description = description
  if (schema !== null) list.schema = new RawJson(schema)
  if (indexes.length > 0) list.indexes = Object.fromEntries(indexes.map(({ pathName, fields }) => [pathName, fields]))
  return { lists: { [pathName]: list } }
}

/** The errors that the server reports for a draft, by field; `others`: errors without a field. */
export type Rejected = Partial<Record<'name' | 'pathName' | 'description', string>> & {
  schema: readonly { path: string; message: string }[]
  /** By path name. */
  indexes: Readonly<Record<string, string>>
  others: readonly string[]
}

export const nothingRejected: Rejected = { schema: [], indexes: {}, others: [] }

export const pathNameTaken = 'Another list has this path name.'

/** The errors of a draft's fields; null: the error is about something else. */
export function rejectedIn(error: ListdError, pathName: string): Rejected | null {
  const reported = error.details?.errors ?? errorsOf(error.body as SyncReport | undefined)
  if (reported.length === 0) return null
  const schema: { path: string; message: string }[] = []
  const others: string[] = []
  const rejected: Record<string, unknown> = {}
  const indexes: Record<string, string> = {}
  for (const { path, message: sentence } of reported) {
    const message = sentence.replace(`"${path}" `, '')
    const at = path.startsWith(`lists.${pathName}.`) ? path.slice(`lists.${pathName}.`.length) : path
    const [field = '', inner = ''] = at.split('.')
    if (at === `lists.${pathName}`) rejected.pathName = message
    else if (field === 'name' || field === 'description') rejected[field] = message
    else if (field === 'schema') schema.push({ path: at.slice('schema.'.length), message })
    else if (field === 'indexes' && inner) indexes[inner] = message
    else others.push(path ? `${path}: ${message}` : message)
  }
  return { ...rejected, schema, indexes, others }
}

/** The errors of a report: they are there if a sync was rejected because of existing lists or indexes. */
function errorsOf(report: SyncReport | undefined): { path: string; message: string }[] {
  return (report?.changes ?? []).flatMap(({ list, index, errors = [] }) =>
    errors.map(({ message }) => ({ path: `lists.${list}${index ? `.indexes.${index}` : ''}`, message })),
  )
}

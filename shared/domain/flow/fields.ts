import { isObject } from '#shared/json/is-object.ts'
import type { Fields, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { serializer } from '../fields/values.ts'
import { flowDocumentLimits, lengths } from '../limits.ts'
import type { Flow, FlowEntry } from './language/flow.ts'

const byRequest = ['create', 'update'] as const

/** Which runs of a flow are recorded: all, or only those that do not succeed. */
export const flowLogged = ['all', 'failures'] as const

/** The fields of a flow definition. Fields that its document also contains are read from the document, and cannot be set. */
export const flowFields = {
  ...ownFields,
  name: {
    kind: 'text',
    min: 1,
    max: lengths.name,
    filter: true,
    about: 'The name from the document; it addresses the flow like its id, ignoring case.',
  },
  description: {
    kind: 'text',
    max: lengths.description,
    initial: '',
    about: 'The description from the document.',
  },
  entry: { kind: 'json', about: 'The entry of the document, with its defaults filled in.' },
  public: {
    kind: 'flag',
    initial: false,
    filter: true,
    about: 'Whether anyone may call it without credentials.',
  },
  lists: {
    kind: 'list',
    of: 'text',
    max: flowDocumentLimits.maxNodes,
    initial: [],
    about: 'The path names of the lists that its nodes use, in lower case, each once.',
  },
  document: { kind: 'json', write: byRequest, about: 'The document, as it was sent.' },
  tests: {
    kind: 'json',
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'Its tests, as they were sent; null: it has none.',
  },
  activated: {
    kind: 'flag',
    initial: true,
    write: byRequest,
    filter: true,
    about: 'Whether calls of its path run it.',
  },
  logged: {
    kind: 'choice',
    of: flowLogged,
    initial: 'all',
    write: byRequest,
    about: 'Which runs are recorded: all, or failures only.',
  },
  version: {
    kind: 'integer',
    min: 1,
    initial: 1,
    about: 'The version of its document; each new document gets the next number.',
  },
  lastRunAt: { kind: 'time', nullable: true, initial: null, about: 'The time of its last recorded run; null: none.' },
  accountId,
} as const satisfies Fields

/** A flow definition as the code represents it: `document`, `tests` and `entry` are source text. */
export interface FlowDefinition extends ValuesOf<typeof flowFields> {}

/** A current or earlier document of a flow. */
export type FlowVersion = Pick<FlowDefinition, 'version' | 'createdAt' | 'document' | 'tests'>

/** A flow definition as clients see it, as JSON text. */
export const serializeFlow: (flow: FlowDefinition) => string = serializer(flowFields)

const { document: _document, tests: _tests, ...settingFields } = flowFields

/** The fields without the document and its tests, which can be long. */
export const flowSettingFields = settingFields

/** A flow definition without its document and its tests. */
export type FlowSettings = Omit<FlowDefinition, 'document' | 'tests'>

/** The same as clients see it, as JSON text. */
export const serializeFlowSettings: (flow: FlowSettings) => string = serializer(flowSettingFields)

/** The fields that follow from a document. */
export function fieldsOfDocument({
  name,
  description,
  entry,
  lists,
}: Pick<Flow, 'name' | 'description' | 'entry' | 'lists'>): Pick<
  FlowDefinition,
  'name' | 'description' | 'entry' | 'public' | 'lists'
> {
  return { name, description: description ?? '', entry: entryText(entry), public: entry.public, lists: [...lists] }
}

/** The JSON text of the entry; the schema of the input is kept as it was sent. */
function entryText({ type, method, path, input, public: isPublic }: FlowEntry): string {
  const head = JSON.stringify({ type, method, path }).slice(0, -1)
  return `${head},"input":${input ?? 'null'},"public":${isPublic}}`
}

/** The endpoint by which a flow is called; null: it has none. */
export function endpointOf({ entry }: Pick<FlowDefinition, 'entry'>): Pick<FlowEntry, 'method' | 'path'> | null {
  const read: unknown = JSON.parse(entry)
  return isObject(read) && read.type === 'endpoint' ? (read as FlowEntry) : null
}

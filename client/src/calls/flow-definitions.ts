import { createPages, type PageOptions, type Pages, type Where } from '../pages.ts'
import { type Answer, type CallOptions, route, type Send } from '../transport.ts'
import type {
  FlowCheck,
  FlowDefinition,
  FlowDefinitionRow,
  FlowFields,
  FlowVersion,
  FlowVersions,
  WrittenFlow,
} from '../types/flow-resources.ts'
import type { JsonObject } from '../types/resources.ts'

type FlowsWhere = Omit<Where<'name', 'public' | 'activated'>, 'tagged'>
type NewFlow = FlowFields & Required<Pick<FlowFields, 'document'>>

/** Flows: documents that are checked and tested before they are saved. A flow is named by its id or its name. */
export type FlowDefinitions = {
  create(fields: NewFlow, options?: CallOptions): Answer<WrittenFlow>
  all(options: PageOptions<FlowsWhere> & { includeDocument: true }): Pages<FlowDefinition>
  /** Omits the documents and their tests, which can be long, unless `includeDocument` is true. */
  all(options?: PageOptions<FlowsWhere> & { includeDocument?: boolean | undefined }): Pages<FlowDefinitionRow>
  get(flow: string, options?: CallOptions): Answer<FlowDefinition>
  /** Replaces the document; fields that are not given stay unchanged. */
  replace(flow: string, fields: NewFlow, options?: CallOptions): Answer<WrittenFlow>
  update(flow: string, fields: FlowFields, options?: CallOptions): Answer<WrittenFlow>
  /** Deletes the flow with its versions and its runs. */
  delete(flow: string, options?: CallOptions): Answer<void>
  /** The last 20 versions of its document, newest first. */
  versions(flow: string, options?: CallOptions): Answer<FlowVersions>
  version(flow: string, version: number, options?: CallOptions): Answer<FlowVersion>
  /** Checks a document and runs its tests; nothing is saved. `stepsOf`: the name of a test whose steps are reported. */
  check(fields: Pick<NewFlow, 'document' | 'tests'> & { stepsOf?: string }, options?: CallOptions): Answer<FlowCheck>
  /** The format of documents, as a JSON Schema. */
  format(options?: CallOptions): Answer<JsonObject>
}

export function createFlowDefinitions(send: Send): FlowDefinitions {
  const pathOf = (flow: string) => route`/flow-definitions/${flow}`
  return {
    create: (body, options) => send('POST /flow-definitions', { body, options }),
    // Without documents, rows are only part of a FlowDefinition; the type of `all` reflects that.
    all: (options?: object) => createPages<FlowDefinition>(send, 'GET /flow-definitions', options),
    get: (flow, options) => send(`GET ${pathOf(flow)}`, { options }),
    replace: (flow, body, options) => send(`PUT ${pathOf(flow)}`, { body, options }),
    update: (flow, body, options) => send(`PATCH ${pathOf(flow)}`, { body, options }),
    delete: (flow, options) => send(`DELETE ${pathOf(flow)}`, { options }),
    versions: (flow, options) => send(`GET ${pathOf(flow)}/versions`, { options }),
    version: (flow, version, options) => send(`GET ${pathOf(flow)}/versions/${version}`, { options }),
    check: (body, options) => send('POST /flow-definitions/check', { body, options }),
    format: (options) => send('GET /schema/flow-v1.json', { options }),
  }
}

import { isAllowedForAny } from '#services/gateway/auth/authorize.ts'
import { visibleFlows } from '#services/gateway/auth/visibility.ts'
import { json, none } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { parsePage, serializePage } from '#services/gateway/schemas/page-schemas.ts'
import { formatSchema, pageOf } from '#services/gateway/schemas/response-schemas.ts'
import { flowOrders } from '#shared/data/flows/columns.ts'
import { readFlowDocumentPage, readFlowPage } from '#shared/data/flows/flow-page.ts'
import type { FlowChecked, FlowTexts } from '#shared/domain/flow/definition.ts'
import { flowFields, serializeFlow, serializeFlowSettings } from '#shared/domain/flow/fields.ts'
import { flowDocumentFormat } from '#shared/domain/flow/language/format.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { checkDocument } from './check-document.ts'
import type { FlowDefinitionDeps } from './context.ts'
import { createFlow, deleteFlow, updateFlow, type WrittenFlow } from './definitions.ts'
import { getFlow } from './load-flow.ts'
import {
  changeFlowBody,
  checkFlowBody,
  checkSchema,
  type FlowBody,
  flowBody,
  flowRowSchema,
  flowSchema,
  listFlowsQuery,
  writtenFlowSchema,
} from './schemas.ts'
import { versionRoutes } from './versions.ts'

const body = { maxBytes: bodyBytes.other, text: ['document', 'tests'] } as const
const invalid = ['FLOW_INVALID', 'FLOW_TESTS_FAILED', 'FLOW_NAME_TAKEN', 'FLOW_PATH_TAKEN'] as const

const formatJson = JSON.stringify(flowDocumentFormat)

/** The definitions of flows: documents that are checked and tested before they are saved. */
export const flowDefinitionRoutes: readonly Route<FlowDefinitionDeps>[] = [
  route({
    method: 'POST',
    path: '/flow-definitions',
    operationId: 'createFlowDefinition',
    about: 'Creates a flow from its document.',
    notes:
      'The document is checked and its tests are run first: with an error, or a test that fails, nothing is saved.',
    response: { 201: writtenFlowSchema },
    errors: [...invalid, 'MAX_FLOWS_EXCEEDED'],
    permission: { action: 'create', resourceType: 'flow' },
    body: { ...body, schema: flowBody },
    alone: 'large',
    async handle({ principal, body, text }, deps) {
      const { document = 'null', tests = null } = textsOf(text)
      const written = await createFlow(deps, { principal, texts: { document, tests }, settings: settingsOf(body) })
      return json(serializeWritten(written), { status: 201 })
    },
  }),
  route({
    method: 'GET',
    path: '/flow-definitions',
    operationId: 'listFlowDefinitions',
    about: 'A page of flows.',
    notes: 'Their documents and tests, which are long, are left out unless `includeDocument=true`.',
    response: { 200: pageOf(flowRowSchema) },
    permission: { action: 'view', resourceType: 'flow' },
    query: listFlowsQuery,
    async handle({ principal, query }, deps) {
      const { filters, request } = parsePage(query, flowOrders, flowFields)
      const set = { accountId: principal.accountId, visible: visibleFlows(principal), filters }
      if (!query.includeDocument)
        return json(serializePage(await readFlowPage(deps.db.long, set, request), serializeFlowSettings))
      return json(serializePage(await readFlowDocumentPage(deps.db.long, set, request), serializeFlow))
    },
  }),
  route({
    method: 'GET',
    path: '/flow-definitions/{flow}',
    operationId: 'getFlowDefinition',
    about: 'A flow.',
    notes: 'The id and the name both find a flow; an id takes precedence.',
    response: { 200: flowSchema },
    etag: true,
    permission: { action: 'view', resourceType: 'flow' },
    async handle({ principal, params }, deps) {
      return json(serializeFlow(await getFlow(deps, { principal, ...params, action: 'view' })))
    },
  }),
  route({
    method: 'PUT',
    path: '/flow-definitions/{flow}',
    operationId: 'replaceFlowDefinition',
    about: 'Replaces the document of a flow.',
    notes:
      'The document is checked and tested like that of a new flow, and becomes the next version. Fields that the body does not name stay as they are.',
    response: { 200: writtenFlowSchema },
    errors: invalid,
    permission: { action: 'update', resourceType: 'flow' },
    body: { ...body, schema: flowBody },
    alone: 'large',
    async handle({ principal, params, body, text }, deps) {
      const update = { principal, ...params, texts: textsOf(text), settings: settingsOf(body) }
      return json(serializeWritten(await updateFlow(deps, update)))
    },
  }),
  route({
    method: 'PATCH',
    path: '/flow-definitions/{flow}',
    operationId: 'updateFlowDefinition',
    about: 'Changes the fields of a flow that the body names.',
    notes: 'Another document, or other tests, create the next version; `activated` and `logged` do not.',
    response: { 200: writtenFlowSchema },
    errors: invalid,
    permission: { action: 'update', resourceType: 'flow' },
    body: { ...body, schema: changeFlowBody },
    alone: 'large',
    async handle({ principal, params, body, text }, deps) {
      const update = { principal, ...params, texts: textsOf(text), settings: settingsOf(body) }
      return json(serializeWritten(await updateFlow(deps, update)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/flow-definitions/{flow}',
    operationId: 'deleteFlowDefinition',
    about: 'Deletes a flow with its versions and its runs.',
    notes: 'Its name and path can be used again immediately. Its runs are deleted in the background.',
    response: { 204: null },
    permission: { action: 'delete', resourceType: 'flow' },
    async handle({ principal, params }, deps) {
      await deleteFlow(deps, { principal, ...params })
      return none()
    },
  }),
  route({
    method: 'POST',
    path: '/flow-definitions/check',
    operationId: 'checkFlowDefinition',
    about: 'Checks a document and runs its tests; nothing is saved.',
    response: { 200: checkSchema },
    permission: { action: 'create', resourceType: 'flow' },
    body: { ...body, schema: checkFlowBody },
    alone: 'large',
    async handle({ principal, body: { stepsOf }, text }, deps) {
      if (!isAllowedForAny(principal, { action: 'create', resourceType: 'flow' }))
        throw new AppError('TOKEN_NOT_AUTHORIZED')
      const { document = 'null', tests = null } = textsOf(text)
      return json(serializeChecked(await checkDocument(deps, { principal, document, tests, stepsOf: stepsOf ?? null })))
    },
  }),
  ...versionRoutes,
  route({
    method: 'GET',
    path: '/schema/flow-v1.json',
    operationId: 'getFlowFormat',
    about: 'The format of a flow document as a JSON Schema, for editors.',
    notes: 'Name its address as `$schema` in a document, and editors check the document while you write.',
    response: { 200: formatSchema },
    permission: 'public',
    handle: async () => json(formatJson),
  }),
]

/** Steps are JSON text already, so that no number loses digits. */
function serializeChecked({ diagnostics, tests }: FlowChecked): string {
  const results = tests.map(({ stepsText, ...result }) => {
    const text = JSON.stringify(result)
    return stepsText === undefined ? text : `${text.slice(0, -1)},${stepsText}}`
  })
  return `{"diagnostics":${JSON.stringify(diagnostics)},"tests":[${results.join()}]}`
}

function serializeWritten({ flow, diagnostics }: WrittenFlow): string {
  const text = serializeFlow(flow)
  return diagnostics.length === 0 ? text : `${text.slice(0, -1)},"diagnostics":${JSON.stringify(diagnostics)}}`
}

/** The texts that a body names, as they were sent: numbers keep their digits, and keys their order. */
function textsOf({ document, tests }: Record<string, string>): Partial<FlowTexts> {
  return {
    ...(document !== undefined && { document }),
    ...(tests !== undefined && { tests: tests === 'null' ? null : tests }),
  }
}

function settingsOf({ activated, logged }: FlowBody) {
  return { ...(activated !== undefined && { activated }), ...(logged !== undefined && { logged }) }
}

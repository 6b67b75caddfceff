import type { Database } from '#shared/data/database.ts'
import { insertFlow } from '#shared/data/flows/flows.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { type FlowDefinition, fieldsOfDocument, flowFields } from '#shared/domain/flow/fields.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import type { FlowRunRecord } from '#shared/domain/flow/run/run-record.ts'
import { usesOf } from '#shared/domain/flow/uses.ts'
import { testId } from './rows.ts'

/** The source text of a document with one node, called at `path`. */
export function flowDocument({
  name = 'Greet',
  path = 'greet',
  method = 'POST',
  isPublic = false,
  ...more
}: DocumentParts = {}): string {
  const entry = { type: 'endpoint', method, path, ...(isPublic && { public: true }) }
  const nodes = [{ id: 'answer', type: 'respond', body: '{ hello: 1.0 }' }]
  return JSON.stringify({ version: 1, name, entry, nodes, ...more })
}

type DocumentParts = {
  isPublic?: boolean
  nodes?: readonly object[]
  name?: string
  path?: string
  method?: string
  description?: string
}

/** A flow definition of a valid document. */
export function flowDefinition(
  of: { accountId: string } & Partial<FlowDefinition>,
  document = flowDocument(),
): FlowDefinition {
  const { flow, diagnostics } = readFlow(document)
  if (!flow) throw new Error(JSON.stringify(diagnostics))
  const own = { id: testId(), createdAt: 1, updatedAt: 1, document }
  return { ...initialValues(flowFields), ...own, ...fieldsOfDocument(flow), ...of }
}

/** Stores a flow. */
export async function makeFlow(db: Database, flow: FlowDefinition): Promise<FlowDefinition> {
  const { flow: read } = readFlow(flow.document)
  await db.transaction((tx) => insertFlow(tx, flow, read ? usesOf(read) : []))
  return flow
}

export function flowRun(
  { accountId, id: flowId }: Pick<FlowDefinition, 'accountId' | 'id'>,
  run: Partial<FlowRunRecord> = {},
): FlowRunRecord {
  return {
    id: testId(),
    accountId,
    flowId,
    flowVersion: 1,
    status: 'succeeded',
    trigger: 'endpoint',
    actor: null,
    requestId: 'test-request',
    createdAt: 5,
    durationMs: 2,
    attempts: 1,
    fuel: 7,
    seed: 'seed',
    input: '{"n":1e400}',
    report: '{"answer":{"status":204,"headers":{}},"writes":[],"emits":[],\n"steps":[],"omittedSteps":0}',
    errorCode: null,
    ...run,
  }
}

import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { insertFlow } from '#shared/data/flows/flows.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { fieldsOfDocument, flowFields } from '#shared/domain/flow/fields.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import type { FlowRunRecord } from '#shared/domain/flow/run/run-record.ts'
import { usesOf } from '#shared/domain/flow/uses.ts'

/** Stores an activated flow of an account. @returns its id */
export async function addFlow(
  db: Database,
  accountId: string,
  document: unknown,
  more: { activated?: boolean; logged?: 'all' | 'failures' } = {},
): Promise<string> {
  const text = JSON.stringify(document)
  const { flow, diagnostics } = readFlow(text)
  if (!flow) throw new TypeError(`The document is rejected: ${JSON.stringify(diagnostics)}`)
  const [id, now] = [newId(), Date.now()]
  const own = { id, accountId, createdAt: now, updatedAt: now, document: text }
  const stored = { ...initialValues(flowFields), ...fieldsOfDocument(flow), ...own, ...more }
  await db.transaction((tx) => insertFlow(tx, stored, usesOf(flow)))
  return id
}

type StoredRun = Pick<FlowRunRecord, 'id' | 'status' | 'attempts' | 'input' | 'report' | 'flowVersion'>

/** The recorded runs of a flow, the oldest first. */
export function runsOf(db: Database, flowId: string): Promise<StoredRun[]> {
  return db.all<StoredRun>(`select id, status, attempts, input, report, flow_version as "flowVersion"
    from flow_runs where flow_id = '${flowId}' order by id`)
}

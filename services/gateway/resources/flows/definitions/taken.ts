import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { findFlowByName } from '#shared/data/flows/flows.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { AppError } from '#shared/errors.ts'

/** Writes a flow. @throws FLOW_NAME_TAKEN, FLOW_PATH_TAKEN, what `write` throws */
export async function unlessTaken<T>(
  db: Database,
  flow: Pick<FlowDefinition, 'id' | 'accountId' | 'name'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const named = await findFlowByName(db, flow)
    throw new AppError(named && named.id !== flow.id ? 'FLOW_NAME_TAKEN' : 'FLOW_PATH_TAKEN')
  }
}

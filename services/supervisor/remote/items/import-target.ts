import { type Client, type List, ListdError, RawJson, route } from '#client/src/main.ts'
import type { ImportSteps } from '#shared/domain/item-transfer/import-rows.ts'

/** The list of an import, and the importing token. */
export type ImportTarget = {
  /** The name that the caller uses. */
  name: string
  /** Null: the token may not view the list, and no response has contained its id yet. */
  id: string | null
  list: List | null
  token: { id: string; name: string } | null
}

/** Reads what the token may see of the list and of itself. @throws ListdError, but not for what it may not see */
export async function findTarget(client: Client, name: string): Promise<ImportTarget> {
  const list = await ifAllowed(client.lists.get(name))
  const self = await ifAllowed(client.ownToken())
  const token = self ? { id: self.token.id, name: self.token.name } : null
  return { name, id: list?.id ?? null, list, token }
}

/** Null for what the token may not see. */
export async function ifAllowed<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof ListdError && (error.status === 403 || error.status === 404)) return null
    throw error
  })
}

/**
 * Sends batches to the list, by its id as soon as that is known, so that another list with its name gets nothing. A request may take
 * long on a busy server; the import itself repeats what can be sent again.
 */
export function createSender(client: Client, target: ImportTarget): ImportSteps['send'] {
  const { send } = client.with({ retries: 0, timeoutMs: 5 * 60_000 })
  return async (operations, once) => {
    const { headers } = await send<Response>(route`POST /lists/${target.id ?? target.name}/items/batch`, {
      body: { operations: new RawJson(operations) },
      options: 'key' in once ? { includeData: false, idempotencyKey: once.key } : { includeData: false, dryRun: true },
      keyed: true,
      read: (_, response) => response,
    })
    target.id ??= headers.get('x-list')
    return { isRepeated: headers.get('idempotency-replayed') === 'true' }
  }
}

import { addDeliveries, makeWebhook } from '../databases/contents/rows.ts'
import type { TestAccount } from '../http/callers.ts'
import { call } from '../http/client.ts'
import type { TestGateway } from '../http/gateway.ts'

/** The calls about a webhook and its deliveries. */
export function webhookCalls<R>(send: (method: string, path: string, body?: object) => Promise<R>, webhookId: string) {
  const at = `/webhooks/${webhookId}`
  return {
    webhook: () => send('GET', at),
    put: (body: object) => send('PUT', at, body),
    remove: () => send('DELETE', at),
    list: (query = '') => send('GET', `${at}/deliveries${query}`),
    get: (deliveryId: string) => send('GET', `${at}/deliveries/${deliveryId}`),
    redeliver: (deliveryId: string) => send('POST', `${at}/deliveries/${deliveryId}/redeliver`),
    redeliverFailed: (body: object, query = '') => send('POST', `${at}/deliveries/redeliver${query}`, body),
    listAll: (query = '') => send('GET', `/deliveries${query}`),
    redeliverAll: (body: object, query = '') => send('POST', `/deliveries/redeliver${query}`, body),
    stats: () => send('GET', `${at}/stats`),
    sign: (body: object) => send('POST', `${at}/deliveries/sign`, body),
    verify: (body: object) => send('POST', `${at}/verify`, body),
    ping: () => send('POST', `${at}/ping`),
    replaceSecret: () => send('POST', `${at}/secret`),
    clearMissed: () => send('POST', `${at}/missed/clear`),
  }
}

/** A webhook of the account with these deliveries, written directly into the tables, and the calls of the account's user. */
export async function webhookWith(
  { gateway, account }: { gateway: TestGateway; account: TestAccount },
  rows: Parameters<typeof addDeliveries>[2],
) {
  const { db } = gateway.deps
  const { accountId, user: headers } = account
  const webhookId = await makeWebhook(db, { accountId })
  const ids = await addDeliveries(db, { accountId, webhookId }, rows)
  const calls = webhookCalls((method, path, body) => call(gateway.port, { method, path, headers, body }), webhookId)
  return { db, webhookId, ids, ...calls }
}

import { type Client, type ClientOptions, createClient } from '#client/src/client.ts'
import { type Manager, manage } from '#client/src/manage.ts'
import { describedFetch } from '../http/answers/described-fetch.ts'
import type { Listd } from './listd.ts'

/** A busy machine may not answer in time: requests that may be repeated are, as long as a test may wait. */
const patience = { timeoutMs: 180_000, retries: 1_000 }

/** A client with the account's API token, at the current address. */
export function clientOf(listd: Listd, options: Partial<ClientOptions> = {}): Client {
  const { address: url, credentials } = listd
  return createClient({ url, token: credentials.token, fetch: describedFetch, ...patience, ...options })
}

/** A manager with the account's signed-in user. */
export function managerOf(listd: Listd): Manager<Client> {
  return manage(clientOf(listd, { token: undefined, session: listd.credentials.session }))
}

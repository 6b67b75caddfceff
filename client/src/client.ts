import { createFlowDefinitions, type FlowDefinitions } from './calls/flow-definitions.ts'
import { createFlows, type Flows } from './calls/flows.ts'
import {
  createIdentities,
  createSelf,
  type Identities,
  type IdentityCredentials,
  type IdentityStore,
  type Self,
} from './calls/identities.ts'
import { type AnyList, createListHandle, type ListHandle, type ListTypes } from './calls/items.ts'
import { createLists, type Lists as ListsResource } from './calls/lists.ts'
import { createSync, type Sync } from './calls/sync.ts'
import { parse } from './json.ts'
import { warnOfTokenThatMayDoEverything } from './token-warning.ts'
import { type Answer, type CallOptions, createSend, type Send } from './transport.ts'
import type { OwnApiToken } from './types/resources.ts'

export type ClientOptions = {
  /** The URL of listd, such as `https://lists.example.com`. */
  url: string
  /** An API token. */
  token?: string | undefined
  /** The session of a signed-in user, instead of a token; see `listd-client/manage`. */
  session?: string | undefined
  /** The identity that the client acts as, in addition to the token; `identities.login` returns such a client. */
  identity?: IdentityCredentials | undefined
  /** Where `identities.login` stores credentials. Default: in memory. */
  identityStore?: IdentityStore | undefined
  /** Time limit of a call including retries, in milliseconds. Default: 60,000. */
  timeoutMs?: number | undefined
  /** Maximum retries of a call that may be retried. Default: 3. */
  retries?: number | undefined
  /**
   * Whether numbers that a double cannot hold are read as `RawNumber`s, which are sent back unchanged. Default: true. With false they
   * become the nearest doubles; do not write such data back.
   */
  lossless?: boolean | undefined
  /** Instead of the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
}

export type Client<Lists extends ListTypes<Lists> = Record<string, AnyList>> = {
  /** The items and indexes of a list; sends nothing itself. */
  list<Name extends keyof Lists & string>(list: Name): ListHandle<Lists[Name]>
  lists: ListsResource
  identities: Identities<Client<Lists>>
  /** The identity that the client acts as. */
  self: Self
  sync: Sync
  flowDefinitions: FlowDefinitions
  flows: Flows
  /** The API token that the client acts with, and its account's plan and usage. */
  ownToken(options?: CallOptions): Answer<OwnApiToken>
  /** The same client with other options, such as credentials. */
  with(options: Partial<ClientOptions>): Client<Lists>
  /** Sends any call of the API: `send('GET /lists')`. */
  send: Send
}

/**
 * Creates a client of a listd. It sends nothing until a method is called, except in browsers: there it checks once whether the token's
 * rules allow everything, and warns.
 */
export function createClient<Lists extends ListTypes<Lists> = Record<string, AnyList>>(
  options: ClientOptions,
): Client<Lists> {
  const client = assemble<Lists>({ ...options, identityStore: options.identityStore ?? memoryStore() })
  if (options.token && 'document' in globalThis) warnOfTokenThatMayDoEverything(client.ownToken())
  return client
}

function assemble<Lists extends ListTypes<Lists>>(
  options: ClientOptions & { identityStore: IdentityStore },
): Client<Lists> {
  const { url, timeoutMs = 60_000, retries = 3, lossless = true, fetch = globalThis.fetch, identityStore } = options
  const headers = credentialsOf(options)
  const send = createSend({ url, headers, timeoutMs, retries, parse: lossless ? parse : JSON.parse, fetch })
  const change = (changes: Partial<ClientOptions>) =>
    assemble<Lists>({ ...options, ...changes, identityStore: changes.identityStore ?? identityStore })
  return {
    list: (list) => createListHandle(send, list),
    lists: createLists(send),
    identities: createIdentities(send, identityStore, (identity) => change({ identity })),
    self: createSelf(send, identityStore),
    sync: createSync(send),
    flowDefinitions: createFlowDefinitions(send),
    flows: createFlows(send),
    ownToken: (options) => send('GET /tokens/self', { options }),
    with: change,
    send,
  }
}

function credentialsOf({ token, session, identity }: ClientOptions): Record<string, string> {
  return {
    ...(token && { 'x-api-token': token }),
    ...(session && { authorization: `Bearer ${session}` }),
    ...(identity && { 'x-identity-token': identity.token }),
    ...(identity?.group && { 'x-identity-group': identity.group }),
  }
}

function memoryStore(): IdentityStore {
  let kept: string | null = null
  return {
    load: () => kept,
    save: (text) => {
      kept = text
    },
  }
}

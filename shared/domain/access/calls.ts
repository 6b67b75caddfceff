import type { Action, Permission, ResourceType } from './permission-rule.ts'

/** The subjects of calls, in the words of the dashboard. */
export type Subject = 'items' | 'lists' | 'indexes' | 'events' | 'stats' | 'identities' | 'flows'

/** An API call that a token's rules allow or block. */
export type AccessCall = {
  about: Subject
  /** A verb, unique within its subject. */
  name: string
  /** Method and path, as in the description of the API. */
  route: `${string} ${string}`
  /** In the order in which they are checked. */
  needs: readonly Permission[]
  /** Set where `needs` alone does not decide, or where a rejected call is not answered with 403 or 404. */
  special?: 'new list' | 'new flow' | 'page' | 'export' | 'sign-in' | 'one-time token'
  /** Identity headers are ignored, because clients may send stale ones. */
  withoutIdentity?: true
}

type Need = `${Action} ${ResourceType}`

function call(about: Subject, name: string, route: AccessCall['route'], needs: readonly Need[], more = {}): AccessCall {
  const permissions = needs.map((need) => {
    const [action, resourceType] = need.split(' ') as [Action, ResourceType]
    return { action, resourceType }
  })
  return { about, name, route, needs: permissions, ...more }
}

const anybody = { withoutIdentity: true } as const

/** The calls that a token's rules decide (contract 3), except for calls that only read what another call reads. */
export const accessCalls: readonly [AccessCall, ...AccessCall[]] = [
  call('items', 'page', 'GET /lists/{list}/items', ['view item'], { special: 'page' }),
  call('items', 'view', 'GET /lists/{list}/items/{item}', ['view item']),
  call('items', 'create', 'POST /lists/{list}/items', ['create item']),
  call('items', 'update', 'PUT /lists/{list}/items/{item}', ['update item']),
  call('items', 'delete', 'DELETE /lists/{list}/items/{item}', ['delete item']),
  call('items', 'restore', 'POST /lists/{list}/items/{item}/events/{event}/restore', ['view item', 'restore item']),
  call('lists', 'view', 'GET /lists/{list}', ['view list']),
  call('lists', 'create', 'POST /lists', ['create list'], { special: 'new list' }),
  call('lists', 'update', 'PUT /lists/{list}', ['update list']),
  call('lists', 'delete', 'DELETE /lists/{list}', ['delete list']),
  call('lists', 'sync', 'GET /sync-schema', ['sync-schema list'], { special: 'export' }),
  call('indexes', 'view', 'GET /lists/{list}/indexes/{index}', ['view index']),
  call('indexes', 'create', 'POST /lists/{list}/indexes', ['create index']),
  call('indexes', 'update', 'PUT /lists/{list}/indexes/{index}', ['update index']),
  call('indexes', 'delete', 'DELETE /lists/{list}/indexes/{index}', ['delete index']),
  call('events', 'of the list', 'GET /lists/{list}/events', ['view list', 'view event']),
  call('events', 'of items', 'GET /lists/{list}/items/{item}/events', ['view item', 'view event']),
  call('events', 'of indexes', 'GET /lists/{list}/indexes/{index}/events', ['view index', 'view event']),
  call('stats', 'of the list', 'GET /lists/{list}/stats', ['view list', 'view stats']),
  call('stats', 'of items', 'GET /lists/{list}/items/{item}/stats', ['view item', 'view stats']),
  call('stats', 'of indexes', 'GET /lists/{list}/indexes/{index}/stats', ['view index', 'view stats']),
  call('flows', 'view', 'GET /flow-definitions/{flow}', ['view flow']),
  call('flows', 'create', 'POST /flow-definitions', ['create flow'], { special: 'new flow' }),
  call('flows', 'update', 'PUT /flow-definitions/{flow}', ['update flow']),
  call('flows', 'delete', 'DELETE /flow-definitions/{flow}', ['delete flow']),
  call('flows', 'run', 'POST /flows/{path*}', ['run flow']),
  call('identities', 'view', 'GET /identities/{identity}', ['view identity']),
  call('identities', 'create', 'POST /identities', ['create identity']),
  call('identities', 'update', 'PUT /identities/{identity}', ['update identity']),
  call('identities', 'delete', 'DELETE /identities/{identity}', ['delete identity']),
  call('identities', 'register', 'POST /identities/register', ['register identity'], anybody),
  call('identities', 'sign in', 'POST /identities/login', ['authenticate identity'], {
    special: 'sign-in',
    ...anybody,
  }),
  call('identities', 'reset', 'POST /identities/password-reset', ['reset-password identity'], {
    special: 'one-time token',
    ...anybody,
  }),
  call('identities', 'verify', 'POST /identities/email-verification', ['verify-email identity'], {
    special: 'one-time token',
    ...anybody,
  }),
  call('identities', 'events', 'GET /identities/{identity}/events', ['view identity', 'view event']),
  call('identities', 'stats', 'GET /identities/{identity}/stats', ['view identity', 'view stats']),
]

import type { Contents } from './account-contents.ts'
import { flowScenarios } from './flow-scenarios.ts'
import type { Need, Scenario } from './scenario.ts'

/** The processes that do the work do not run, so an admitted request gets this far. */
const letIn = { answer: '503 SERVICE_UNAVAILABLE' }
const deletion = { answer: '204' }

const password = 'correct horse battery staple'
const changed = () => ({ description: 'Changed' })
const emptyBody = () => ({})
const user: Scenario = { needs: 'user' }
const own: Scenario = { needs: 'authenticated', identity: 'own' }
const failedSince = () => ({ status: 'failed', since: '2026-01-01T00:00:00.000Z' })
const post: Scenario = { needs: 'user', answer: '200' }

const requestFor = (need: Need): Scenario => ({
  needs: [need],
  identity: 'ignored',
  about: 'Ada',
  answer: '200',
  body: () => ({ name: 'Ada' }),
})
const confirmationOf = (body: Record<string, string>): Scenario => ({
  needs: ['authenticate identity'],
  identity: 'ignored',
  about: 'any',
  answer: '400 IDENTITY_TOKEN_INVALID',
  body: () => body,
})

const sync = (title: string, body: (contents: Contents) => Record<string, unknown>, more: Partial<Scenario> = {}) => ({
  title,
  needs: ['sync-schema list'] as const,
  about: 'body' as const,
  answer: '200',
  body: (contents: Contents) => ({ scope: contents.pathName, lists: body(contents) }),
  ...more,
})

/** Permissions come first: a caller that has them learns that the request needs more. */
const pruning = { query: '?prune=true', answer: '422 SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED' }

const batch = (title: string, need: Need, operation: (contents: Contents) => unknown) => ({
  title,
  needs: [need],
  about: 'body' as const,
  answer: '200',
  body: (contents: Contents) => ({ operations: [operation(contents)] }),
})

/** By route; a route without a scenario fails the test. The parameters of a path are filled from the contents of an account. */
export const scenarios: Readonly<Record<string, Scenario | readonly Scenario[]>> = {
  'GET /': { needs: 'public' },
  'GET /health/live': { needs: 'public' },
  'GET /health/ready': { needs: 'public' },
  'GET /setup': { needs: 'public' },
  'GET /dashboard': { needs: 'public', ...letIn },
  'GET /dashboard/{path*}': { needs: 'public', ...letIn },
  'GET /dashboard/assets/{file*}': { needs: 'public', ...letIn },
  'GET /schema/sync-v1.json': { needs: 'public' },
  'GET /openapi.json': { needs: 'public' },
  'POST /auth/login': { needs: 'public', body: () => ({ email: 'a@listd.example', password }), ...letIn },
  'POST /auth/setup': {
    needs: 'public',
    answer: '400 IDENTITY_TOKEN_INVALID',
    body: () => ({ setupToken: 'unknown', email: 'a@listd.example', password }),
  },
  'GET /auth/self': user,
  'PUT /auth/self': { ...user, body: () => ({ displayName: 'Ana' }) },
  'GET /auth/self/preferences': user,
  'PUT /auth/self/preferences': { ...user, body: () => ({ scheme: 'dark' }) },
  'GET /auth/self/sessions': user,
  'GET /auth/self/sessions/{session}': user,
  'GET /tokens/self': { needs: 'authenticated', userAnswer: '404 REQUESTED_ENTITY_NOT_FOUND' },
  'POST /tokens': { ...user, body: () => ({ name: 'new', permissions: [] }), answer: '201' },
  'GET /tokens': user,
  'GET /tokens/{token}': user,
  'PUT /tokens/{token}': { ...user, body: changed },
  'POST /tokens/{token}/rotate': post,
  'POST /lists/{list}/visible-items': { ...post, body: () => ({ permissions: [] }) },
  'GET /events': user,
  'POST /identities/register': {
    needs: ['register identity'],
    identity: 'ignored',
    about: 'nothing',
    ...letIn,
    body: () => ({ name: 'Eve', password }),
  },
  'POST /identities/login': {
    needs: ['authenticate identity'],
    identity: 'ignored',
    about: 'any',
    ...letIn,
    body: () => ({ name: 'Ada', password }),
  },
  'GET /identities/oauth/providers': { needs: 'authenticated', identity: 'ignored' },
  'POST /identities/password-reset': requestFor('reset-password identity'),
  'POST /identities/password-reset/confirm': confirmationOf({ resetToken: 'unknown', password }),
  'POST /identities/email-verification': requestFor('verify-email identity'),
  'POST /identities/email-verification/confirm': confirmationOf({ verificationToken: 'unknown' }),
  'GET /identities/self': own,
  'PUT /identities/self': { ...own, body: () => ({ displayName: 'Ada L.' }), ...letIn },
  'GET /identities/self/sessions': own,
  'GET /identities/self/sessions/{session}': own,
  'POST /identities': { needs: ['create identity'], about: 'nothing', body: () => ({ name: 'Eve' }), ...letIn },
  'GET /identities': { needs: ['view identity'], about: 'any' },
  'GET /identities/{identity}': { needs: ['view identity'] },
  'PUT /identities/{identity}': [
    { needs: ['update identity'], body: () => ({ displayName: 'Changed' }) },
    {
      title: 'a new password',
      needs: ['update identity'],
      byBody: ['reset-password identity'],
      ...letIn,
      body: () => ({ password }),
    },
  ],
  'GET /identities/{identity}/stats': { needs: ['view identity', 'view stats'] },
  'GET /identities/{identity}/events': { needs: ['view identity', 'view event'] },
  'GET /identities/{identity}/events/{event}': { needs: ['view identity', 'view event'] },
  'POST /identity-groups': { ...user, body: () => ({ name: 'new' }), answer: '201' },
  'GET /identity-groups': user,
  'GET /identity-groups/{group}': user,
  'PUT /identity-groups/{group}': { ...user, body: () => ({ requireEmail: true }) },
  'POST /sync-schema': [
    sync('the list as it is', ({ pathName }) => ({ [pathName]: {} })),
    sync('a change of the list', ({ pathName }) => ({ [pathName]: { description: 'Synced' } }), {
      byBody: ['update list'],
    }),
    sync('a change of the list, as a dry run', ({ pathName }) => ({ [pathName]: { description: 'Not synced' } }), {
      query: '?dryRun=true',
    }),
    sync(
      'a change of its index',
      ({ pathName }) => ({ [pathName]: { indexes: { slug: { description: 'Synced' } } } }),
      { byBody: ['update index'] },
    ),
    sync('a guard index that the document omits', ({ pathName }) => ({ [pathName]: { indexes: { slug: {} } } }), {
      ...pruning,
      byBody: ['delete index'],
    }),
    sync('a list that the document omits', () => ({}), { ...pruning, byBody: ['delete list'] }),
    sync('a new list with an index', () => ({}), {
      about: 'nothing',
      byBody: ['create list', 'create index'],
      body: () => ({ lists: { fresh: { indexes: { title: { pointer: '/title' } } } } }),
    }),
  ],
  'GET /sync-schema': { needs: ['sync-schema list'], about: 'any' },
  'POST /sync-schema/move': [
    {
      title: 'to its current scope',
      needs: ['sync-schema list'],
      about: 'body',
      answer: '200',
      body: ({ list, pathName }) => ({ lists: [list], scope: pathName }),
    },
    {
      title: 'to another scope',
      needs: ['sync-schema list'],
      byBody: ['update list', 'update index'],
      about: 'body',
      answer: '200',
      body: ({ list }) => ({ lists: [list], scope: 'moved' }),
    },
  ],
  'POST /lists': { needs: ['create list'], about: 'nothing', body: () => ({ name: 'Created' }) },
  'GET /lists': { needs: ['view list'], about: 'any' },
  'GET /lists/{list}': { needs: ['view list'] },
  'PUT /lists/{list}': [
    { needs: ['update list'], body: changed },
    {
      title: 'the schema of a list with a guard index',
      needs: ['update list'],
      byBody: ['update index'],
      body: () => ({ schema: { description: 'Changed' } }),
    },
  ],
  'POST /lists/{list}/indexes': [
    { needs: ['create index'], body: () => ({ name: 'Title', pointer: '/title' }) },
    {
      title: 'as a dry run',
      needs: ['create index'],
      byBody: ['view item'],
      query: '?dryRun=true',
      answer: '200',
      body: () => ({ name: 'Subtitle', pointer: '/subtitle' }),
    },
  ],
  'GET /lists/{list}/indexes': { needs: ['view index'] },
  'GET /lists/{list}/indexes/{index}': { needs: ['view index'] },
  'PUT /lists/{list}/indexes/{index}': { needs: ['update index'], body: changed },
  'POST /lists/{list}/indexes/{index}/rebuild': { needs: ['update index'], answer: '409 INDEX_BUILD_NOT_FAILED' },
  'GET /lists/{list}/items': { needs: ['view item'], about: 'items' },
  'GET /lists/{list}/search': {
    needs: ['view item'],
    about: 'items',
    query: '?query=soup',
    answer: '400 INDEX_NOT_USABLE',
  },
  'POST /lists/{list}/items': { needs: ['create item'], body: emptyBody },
  'POST /lists/{list}/items/batch': [
    batch('a new item', 'create item', () => ({ op: 'create' })),
    batch('a change of the item', 'update item', ({ item }) => ({ op: 'update', item, ...changed() })),
    {
      ...batch('a deletion of the item', 'delete item', ({ item }) => ({ op: 'delete', item })),
      query: '?dryRun=true',
    },
  ],
  'GET /lists/{list}/items/{item}': { needs: ['view item'] },
  'PUT /lists/{list}/items/{item}': { needs: ['update item'], body: changed },
  'GET /lists/{list}/items/data/{pointer*}': { needs: ['view item'], about: 'items' },
  'GET /lists/{list}/items/{item}/data/{pointer*}': { needs: ['view item'] },
  'PUT /lists/{list}/items/{item}/data/{pointer*}': { needs: ['update item'], body: changed },
  'POST /lists/{list}/items/{item}/data/{pointer*}': { needs: ['update item'], body: changed, answer: '200' },
  'PATCH /lists/{list}/items/{item}/data/{pointer*}': { needs: ['update item'], body: () => [] },
  'DELETE /lists/{list}/items/{item}/data/{pointer*}': { needs: ['update item'], query: '?dryRun=true' },
  'GET /stats': user,
  'GET /realtime': {
    needs: ['view item'],
    about: 'any',
    query: '?eventTypes=*&listIds=quiet',
    answer: '404 REQUESTED_ENTITY_NOT_FOUND',
  },
  'GET /lists/{list}/stats': { needs: ['view list', 'view stats'] },
  'GET /lists/{list}/items/{item}/stats': { needs: ['view item', 'view stats'] },
  'GET /lists/{list}/indexes/{index}/stats': { needs: ['view index', 'view stats'] },
  'GET /lists/{list}/events': { needs: ['view list', 'view event'] },
  'GET /lists/{list}/events/{event}': { needs: ['view list', 'view event'] },
  'GET /lists/{list}/items/{item}/events': { needs: ['view item', 'view event'] },
  'GET /lists/{list}/items/{item}/events/{event}': { needs: ['view item', 'view event'] },
  'POST /lists/{list}/items/{item}/events/{event}/restore': { needs: ['restore item', 'view item'], answer: '200' },
  'GET /lists/{list}/indexes/{index}/events': { needs: ['view index', 'view event'] },
  'GET /lists/{list}/indexes/{index}/events/{event}': { needs: ['view index', 'view event'] },
  ...flowScenarios,
  'GET /flow-runs': user,
  'GET /flow-runs/{run}': user,
  'POST /flow-runs/{run}/repeat': user,
  'POST /flow-definitions/{flow}/run': { ...post, body: () => ({ dryRun: true }) },
  'POST /webhooks': { ...user, body: () => ({ url: 'https://listd.example/', events: [] }), ...letIn },
  'GET /webhooks': user,
  'GET /webhooks/{webhook}': user,
  'PUT /webhooks/{webhook}': { ...user, body: changed },
  'POST /webhooks/{webhook}/secret': post,
  'POST /webhooks/{webhook}/missed/clear': post,
  'POST /webhooks/{webhook}/ping': { ...user, ...letIn },
  'GET /deliveries': user,
  'GET /webhooks/{webhook}/deliveries': [user, { ...user, title: 'by cursor', query: '?after=' }],
  'GET /webhooks/{webhook}/stats': user,
  'GET /webhooks/{webhook}/deliveries/{delivery}': user,
  'POST /webhooks/{webhook}/deliveries/{delivery}/redeliver': post,
  'POST /webhooks/{webhook}/deliveries/redeliver': { ...post, body: failedSince },
  'POST /deliveries/redeliver': { ...post, body: failedSince },
  'POST /webhooks/{webhook}/deliveries/sign': {
    ...post,
    body: ({ delivery }) => ({ deliveries: [delivery] }),
  },
  'POST /webhooks/{webhook}/verify': { ...post, body: () => ({ headers: {}, body: '{}' }) },
  // Requests that end or delete something, the inner before the outer: they are sent in this order.
  'DELETE /lists/{list}/indexes/{index}': { needs: ['delete index'], ...deletion },
  'DELETE /lists/{list}/items/{item}': { needs: ['delete item'] },
  'DELETE /lists/{list}': { needs: ['delete list'], ...deletion },
  'DELETE /flow-definitions/{flow}': { needs: ['delete flow'], ...deletion },
  'DELETE /webhooks/{webhook}': { ...user, ...deletion },
  'DELETE /identities/{identity}': { needs: ['delete identity'], ...deletion },
  'DELETE /identity-groups/{group}': { ...user, ...deletion },
  'DELETE /tokens/{token}': { ...user, ...deletion },
  'DELETE /auth/self/sessions/{session}': { ...user, ...deletion },
  'DELETE /identities/self/sessions/{session}': { ...own, ...deletion },
  'POST /identities/logout': { needs: ['authenticate identity'], identity: 'any', body: emptyBody, ...deletion },
  'DELETE /identities/self/sessions': { ...own, ...deletion },
  'DELETE /identities/self': { ...own, ...deletion },
  'DELETE /auth/self/sessions': { ...user, identity: 'ended', ...deletion },
  'POST /auth/logout': { needs: 'public', about: 'session', ...deletion },
}

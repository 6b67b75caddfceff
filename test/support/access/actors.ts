import type { Action, PermissionRule, ResourceType } from '#shared/domain/access/permission-rule.ts'
import type { AccountContents } from './account-contents.ts'

/** The callers of the API: without credentials, the account's user, or an API token, on its own or for an identity. Ada owns every item. */
export type Actor = { mode: 'anonymous' } | { mode: 'user' } | TokenActor

type TokenActor = { mode: 'token'; dead?: true; as?: 'ada' | 'bob'; rules(account: AccountContents): PermissionRule[] }

const allow = (action: Action | '*', rest: Omit<PermissionRule, 'mode' | 'action'> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})
const view = (resourceType: ResourceType) => allow('view', { resourceType })
const only =
  (...rules: PermissionRule[]) =>
  () =>
    rules

/** The rights of an item's owner: an identity that the token may sign in. */
const own = only(
  allow('authenticate'),
  ...(['create', 'view', 'update', 'delete', 'restore'] as const).map((action) => allow(`${action}-with-identity`)),
)

/** Named list and item: those that rules can name. No rule names the other list. */
export const actors: Readonly<Record<string, Actor>> = {
  anonymous: { mode: 'anonymous' },
  user: { mode: 'user' },
  'deactivated token': { mode: 'token', dead: true, rules: only(allow('*')) },
  'no rules': { mode: 'token', rules: only() },
  everything: { mode: 'token', rules: only(allow('*')) },
  'everything, as Bob': { mode: 'token', as: 'bob', rules: only(allow('*')) },
  'everything, then all blocked': { mode: 'token', rules: only(allow('*'), { mode: 'block', action: '*' }) },
  'views everything': { mode: 'token', rules: only(allow('view')) },
  'views lists': { mode: 'token', rules: only(view('list')) },
  'views items': { mode: 'token', rules: only(view('item')) },
  'views lists and events': { mode: 'token', rules: only(view('list'), view('event')) },
  'views all, events of the named list': {
    mode: 'token',
    rules: ({ named }) => [
      view('list'),
      view('item'),
      view('index'),
      allow('view', { resourceType: 'event', listIds: [named.list] }),
    ],
  },
  'views the named item': {
    mode: 'token',
    rules: ({ named }) => [allow('view', { itemIds: [named.item] })],
  },
  'views all, updates the named list': {
    mode: 'token',
    rules: ({ named }) => [allow('view'), allow('update', { listIds: [named.list] })],
  },
  'changes items, sees none': {
    mode: 'token',
    rules: only(...(['create', 'update', 'delete'] as const).map((action) => allow(action, { resourceType: 'item' }))),
  },
  'everything in the named list': { mode: 'token', rules: ({ named }) => [allow('*', { listIds: [named.list] })] },
  'everything but the named list': {
    mode: 'token',
    rules: ({ named }) => [allow('*'), { mode: 'block', action: '*', listIds: [named.list] }],
  },
  'own items, without an identity': { mode: 'token', rules: own },
  'own items, as Ada': { mode: 'token', as: 'ada', rules: own },
  'own items, as Bob': { mode: 'token', as: 'bob', rules: own },
  'views everything, as Ada': { mode: 'token', as: 'ada', rules: only(allow('view')) },
  'views everything and signs in, as Ada': {
    mode: 'token',
    as: 'ada',
    rules: only(allow('view'), allow('authenticate')),
  },
  'signs Bob in, as Ada': {
    mode: 'token',
    as: 'ada',
    rules: ({ bob }) => [allow('authenticate', { identityIds: [bob.id] })],
  },
  'registers and signs in': { mode: 'token', rules: only(allow('register'), allow('authenticate')) },
  'resets and verifies': { mode: 'token', rules: only(allow('reset-password'), allow('verify-email')) },
  'views everything, resets and verifies Bob': {
    mode: 'token',
    rules: ({ bob: { id } }) => [
      allow('view'),
      allow('reset-password', { identityIds: [id] }),
      allow('verify-email', { identityIds: [id] }),
    ],
  },
  'views the named identity and its events': {
    mode: 'token',
    rules: ({ named: { identity } }) =>
      (['identity', 'event'] as const).map((resourceType) => allow('view', { resourceType, identityIds: [identity] })),
  },
  "views and updates by Ada's id, as Bob": {
    mode: 'token',
    as: 'bob',
    rules: ({ ada: { id } }) => [
      allow('authenticate'),
      ...(['view', 'view-with-identity', 'update', 'update-with-identity'] as const).map((action) =>
        allow(action, { identityIds: [id] }),
      ),
    ],
  },
  'everything with identities of the named group': {
    mode: 'token',
    rules: ({ named }) => [allow('*', { resourceType: 'identity', groups: [named.pathName] })],
  },
  'views everything, manages the named group': {
    mode: 'token',
    rules: ({ named: { pathName } }) => [
      allow('view'),
      ...(['update', 'delete', 'reset-password'] as const).map((action) =>
        allow(action, { resourceType: 'identity', groups: [pathName] }),
      ),
    ],
  },
  'updates identities, sees none': {
    mode: 'token',
    rules: only(allow('update', { resourceType: 'identity' })),
  },
  'everything with the named flow': {
    mode: 'token',
    rules: ({ named }) => [allow('*', { flowIds: Object.values(named.flowIds) })],
  },
  'views flows, updates the named one': {
    mode: 'token',
    rules: ({ named }) => [view('flow'), allow('update', { resourceType: 'flow', flowIds: [named.flow] })],
  },
  'runs the named flow, as Ada': {
    mode: 'token',
    as: 'ada',
    rules: ({ named }) => [
      allow('authenticate'),
      allow('run-with-identity', { flowIds: Object.values(named.flowIds) }),
    ],
  },
  'creates flows, sees none': { mode: 'token', rules: only(allow('create', { resourceType: 'flow' })) },
  syncs: { mode: 'token', rules: only(allow('sync-schema')) },
  'syncs and updates lists': {
    mode: 'token',
    rules: only(allow('sync-schema'), allow('update', { resourceType: 'list' })),
  },
}

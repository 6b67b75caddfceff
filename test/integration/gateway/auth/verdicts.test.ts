import type { Agent } from 'node:http'
import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { IdentityLogin } from '#shared/bus/messages/identity.ts'
import { type AccessCall, accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { type PermissionRule, resourceTypes, type Selector } from '#shared/domain/access/permission-rule.ts'
import type { Grant } from '#shared/domain/access/permissions.ts'
import { type Answer, type Thing, type Verdict, verdictOn } from '#shared/domain/access/verdict.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { holdsFor } from '#shared/domain/item-rules/bound-rules.ts'
import { viewedItems } from '#shared/domain/item-rules/item-sets.ts'
import { AppError } from '#shared/errors.ts'
import { type AccountContents, type Contents, fillAccount } from '../../../support/access/account-contents.ts'
import { actors } from '../../../support/access/actors.ts'
import { pathOf } from '../../../support/access/targets.ts'
import { flowDocument } from '../../../support/databases/contents/flows.ts'
import type { Credentials } from '../../../support/http/callers.ts'
import { manyCalls, type Reply, call as send } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()

type Cell = { cell: string; verdict: Verdict; answer: Answer | string }
const cells: Cell[] = []

test.before(async () => {
  const gateway = await startGateway(cleanup, { routes, adapt: tellingWhoMaySignIn })
  const some = await Promise.all(Object.entries(ruleSets).map(([name, set]) => cellsOf(gateway, name, set)))
  cells.push(...some.flat())
})

/** There is no identity service. It would reject a login if the gateway says that the token may not sign the identity in. */
function tellingWhoMaySignIn(deps: TestGateway['deps']): TestGateway['deps'] {
  return {
    ...deps,
    bus: {
      ...deps.bus,
      async request(subject, message, options) {
        if (subject === 'identity.login' && !(message as IdentityLogin).permitted)
          throw new AppError('IDENTITY_NOT_AUTHENTICATED')
        return deps.bus.request(subject, message, options)
      },
    },
  }
}

type RuleSet = { as?: 'ada' | 'bob' | undefined; rules: (account: AccountContents) => PermissionRule[] }

/** The rules of all actors that are tokens, and rules that allow or block by each selector or condition. */
const ruleSets: Record<string, RuleSet> = {
  ...Object.fromEntries(
    Object.entries(actors).flatMap(([name, actor]) => (actor.mode === 'token' && !actor.dead ? [[name, actor]] : [])),
  ),
  ...selecting({ listIds: ({ list }) => list, itemIds: ({ item }) => item, indexIds: ({ index }) => index }),
  ...selecting({ flowIds: ({ flow }) => flow }),
  ...selecting({ identityIds: ({ identity }) => identity, groups: ({ pathName }) => pathName }),
  ...asking({
    'no tag': { tagged: 'null' },
    'a tag': { tagged: 'x' },
    'a tag of Ada': { tagged: 'in:$identity.tags' },
  }),
}

/** Rules that view, change and block items of the named list by conditions. The items have no tags, so not every condition is met. */
function asking(conditions: Record<string, Record<string, unknown>>): Record<string, RuleSet> {
  const ofItems = ({ named }: AccountContents) => ({ resourceType: 'item' as const, listIds: [named.list] })
  const everything: PermissionRule = { mode: 'allow', action: '*' }
  const signIn: PermissionRule = { mode: 'allow', action: 'authenticate' }
  const sets = Object.entries(conditions).flatMap(([name, where]): [string, RuleSet][] => [
    [`allow what has ${name}`, { rules: (account) => [{ ...everything, ...ofItems(account), where }] }],
    [
      `view what has ${name}, change all, as Ada`,
      {
        as: 'ada',
        rules: (account) => [
          signIn,
          ...(['list', 'stats', 'event'] as const).map((resourceType) => ({
            ...everything,
            action: 'view' as const,
            resourceType,
          })),
          { mode: 'allow', action: 'view', ...ofItems(account), where },
          ...(['create', 'update', 'delete', 'restore'] as const).map((action) => ({ ...everything, action })),
        ],
      },
    ],
    [
      `block what has ${name}`,
      { rules: (account) => [everything, { mode: 'block', action: '*', ...ofItems(account), where }] },
    ],
    [
      `block updates to what has ${name}`,
      {
        rules: (account) => [
          everything,
          { mode: 'block', action: 'update', ...ofItems(account), becomes: where, changes: ['description'] },
        ],
      },
    ],
  ])
  return Object.fromEntries(sets)
}

function selecting(selectors: { [selector in Selector]?: (contents: Contents) => string }): Record<string, RuleSet> {
  const everything: PermissionRule[] = [
    { mode: 'allow', action: '*' },
    { mode: 'allow', action: 'reset-password' },
    { mode: 'allow', action: 'verify-email' },
  ]
  const ownItems: PermissionRule[] = [
    { mode: 'allow', action: 'authenticate' },
    { mode: 'allow', action: 'view-with-identity' },
  ]
  const sets = Object.entries(selectors).flatMap(([selector, idOf]): [string, RuleSet][] => {
    const only = (rule: PermissionRule, { named }: AccountContents) => ({ ...rule, [selector]: [idOf(named)] })
    return [
      [`allow by ${selector}`, { rules: (account) => everything.map((rule) => only(rule, account)) }],
      [
        `allow by ${selector}, as Ada`,
        { as: 'ada', rules: (account) => [...ownItems, ...everything.map((rule) => only(rule, account))] },
      ],
      [`block by ${selector}`, { rules: (account) => [...everything, only({ mode: 'block', action: '*' }, account)] }],
      [
        `block updates by ${selector}, as Ada`,
        { as: 'ada', rules: (account) => [...everything, only({ mode: 'block', action: 'update' }, account)] },
      ],
    ]
  })
  return Object.fromEntries(sets)
}

async function cellsOf(gateway: TestGateway, name: string, { as, rules }: RuleSet): Promise<Cell[]> {
  const account = await fillAccount(gateway.deps)
  const { db } = gateway.deps
  await db.run('update lists set indexable = 0 where id = ?', [account.other.list])
  // An identity without an email is never verified, whatever the rules.
  await db.run('update identities set email = id, email_key = id where account_id = ?', [account.account.accountId])
  const given = rules(account)
  const headers = { ...(await account.account.token(given)), ...(as && account[as].headers) }
  const identity = as ? { id: account[as].id, groupName: null, tags: [] } : null
  const cells: Cell[] = []
  const agent = manyCalls()
  // Calls that delete something are last, and those of the list follow those of its contents.
  for (const call of [...accessCalls].sort((a, b) => endsOf(a) - endsOf(b))) {
    for (const target of ['named', 'other', 'deactivated', 'draft'] as const) {
      if (target === 'draft' && !call.route.includes('{item}')) continue
      const grant = { permissions: compilePermissions(given), identity }
      const verdict = verdictOn(grant, call, thingOf(account, target, grant))
      const reply = await ask(gateway, call, account[target], { agent, headers })
      cells.push({
        cell: `${name}: ${call.about} ${call.name}, ${target}`,
        verdict,
        answer: answerOf(call, reply, account[target]),
      })
    }
  }
  agent.destroy()
  return cells
}

const endsOf = ({ route }: AccessCall) => (route.startsWith('DELETE') ? (route.endsWith('{list}') ? 2 : 1) : 0)

function thingOf(
  { ada, ...account }: AccountContents,
  target: 'named' | 'other' | 'deactivated' | 'draft',
  grant: Grant,
): Thing {
  const { list, item, index, identity, flow, pathName } = account[target]
  const indexable = target !== 'other'
  const ruled = { id: list, indexes: [] }
  const state = {
    ...initialValues(itemFields),
    id: item,
    listId: list,
    activated: target !== 'draft',
  } as unknown as Item
  const holds = holdsFor(grant, { list: ruled, item: state })
  const update = { list: ruled, item: state, changes: ['description'] }
  const [before, after] = [holdsFor(grant, update), holdsFor(grant, { ...update, isAfter: true })]
  const hasPage = viewedItems(grant, ruled) !== false
  return {
    list: { id: list, activated: target !== 'deactivated', indexable, hasPage },
    item: { id: item, ownerId: ada.id, activated: target !== 'draft', holds, before, after },
    indexId: index,
    flowId: flow,
    identity: { id: identity, group: pathName },
  }
}

const password = 'correct horse battery staple'
const requests: Partial<Record<AccessCall['route'], (contents: Contents) => { query?: string; body?: object }>> = {
  'POST /lists/{list}/items': () => ({ query: '?dryRun=true', body: {} }),
  'PUT /lists/{list}/items/{item}': () => ({ query: '?dryRun=true', body: { description: 'Changed' } }),
  'DELETE /lists/{list}/items/{item}': () => ({ query: '?dryRun=true' }),
  'POST /lists/{list}/items/{item}/events/{event}/restore': () => ({ query: '?dryRun=true' }),
  'POST /lists': () => ({ body: { name: 'Created' } }),
  'PUT /lists/{list}': () => ({ body: { description: 'Changed' } }),
  'GET /sync-schema': ({ list }) => ({ query: `?lists=${list}` }),
  'POST /lists/{list}/indexes': () => ({ body: { name: 'Title', pointer: '/title' } }),
  'PUT /lists/{list}/indexes/{index}': () => ({ body: { description: 'Changed' } }),
  'POST /flow-definitions': () => ({ body: { document: JSON.parse(flowDocument({ name: 'new', path: 'new' })) } }),
  'PUT /flow-definitions/{flow}': ({ pathName: name, flow: path }) => ({
    body: { document: JSON.parse(flowDocument({ name, path })) },
  }),
  'POST /identities': ({ pathName: group }) => ({ body: { name: 'Eve', group } }),
  'PUT /identities/{identity}': () => ({ body: { displayName: 'Changed' } }),
  'POST /identities/register': ({ pathName: group }) => ({ body: { name: 'Eve', group, password } }),
  'POST /identities/login': ({ pathName: group }) => ({ body: { name: 'Cy', group, password } }),
  'POST /identities/password-reset': ({ identity: identityId }) => ({ body: { identityId } }),
  'POST /identities/email-verification': ({ identity: identityId }) => ({ body: { identityId } }),
}

function ask(
  { port }: TestGateway,
  { route }: AccessCall,
  contents: Contents,
  by: { agent: Agent; headers: Credentials },
): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ')
  const { query = '', body } = requests[route]?.(contents) ?? {}
  return send(port, { method, path: pathOf(path, contents) + query, ...by, ...(body && { body }) })
}

/** The verdict of an answer about rules, or the text of an answer that has none. */
function answerOf({ special }: AccessCall, { status, json, text }: Reply, { pathName }: Contents): Answer | string {
  if (status === 401) return 'signed out'
  if (status === 403) return json?.name === 'TOKEN_NOT_AUTHORIZED' ? 'forbidden' : text
  if (status === 404) return 'hidden'
  if (special === 'export') return text.includes(`"${pathName}":`) ? 'allowed' : 'nobody'
  if (special === 'one-time token' && json?.identity === null) return 'nobody'
  // These statuses mean that the rules allow the call: 503 without the identity service, 409 or 400 for a body that is rejected later.
  return status < 400 || status === 503 || status === 409 || status === 400 ? 'allowed' : text
}

test('every permission that a route requires has a call, and every call requires what its route declares', (t) => {
  const declared = new Set(routes.flatMap(({ permission }) => permissionsIn(permission)))
  const called = new Set(accessCalls.flatMap(({ needs }) => permissionsIn(needs)))
  t.deepEqual([...declared.symmetricDifference(called)], [])
  for (const { route, needs } of accessCalls) {
    const found = routes.find(({ method, path }) => `${method} ${path}` === route)
    const always =
      found &&
      (typeof found.permission === 'object' && 'always' in found.permission
        ? found.permission.always
        : found.permission)
    t.deepEqual(permissionsIn(always).toSorted(), permissionsIn(needs).toSorted(), route)
  }
})

function permissionsIn(permission: unknown): string[] {
  if (typeof permission !== 'object' || permission === null) return []
  if ('action' in permission && 'resourceType' in permission) return [`${permission.action} ${permission.resourceType}`]
  return Object.values(permission).flatMap(permissionsIn)
}

test('every type of resource has calls', (t) => {
  const types = new Set(accessCalls.flatMap(({ needs }) => needs.map(({ resourceType }) => resourceType)))
  t.deepEqual([...types].toSorted(), [...resourceTypes].toSorted())
})

for (const call of accessCalls) {
  test(`${call.about}, ${call.name}: the verdict is that of the API, whatever the rules`, (t) => {
    const ofCall = cells.filter(({ cell }) => cell.includes(`: ${call.about} ${call.name}, `))
    for (const { cell, verdict, answer } of ofCall) {
      const isSame = verdict.answer === 'some' ? dependsOnItems.includes(answer) : verdict.answer === answer
      t.true(isSame, `${cell}: ${verdict.answer}, but the API: ${answer}`)
    }
    t.true(ofCall.length >= 3 * Object.keys(ruleSets).length)
    t.true(new Set(ofCall.map(({ verdict }) => verdict.answer)).size > 1, 'all verdicts are the same')
  })
}

/** Possible answers to a page for a token whose rules name single items. */
const dependsOnItems = ['allowed', 'hidden', 'forbidden']

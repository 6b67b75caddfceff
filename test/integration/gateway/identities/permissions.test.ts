import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
test.before(async () => {
  ;({ gateway } = await startSigningIn(cleanup))
  account = await makeAccount(gateway.deps.db)
})

type Headers = Record<string, string>
const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: object, headers: Headers = account.user) =>
  ask({ method: 'POST', path: '/identities', body, headers })
const at = (ref: unknown) => `/identities/${encodeURIComponent(String(ref))}`
const read = (ref: unknown, headers: Headers = account.user) => ask({ path: at(ref), headers })
const change = (ref: unknown, body: object, headers: Headers = account.user) =>
  ask({ method: 'PUT', path: at(ref), body, headers })
const remove = (ref: unknown, headers: Headers = account.user) => ask({ method: 'DELETE', path: at(ref), headers })
const add = (given: { group?: string; name?: string } = {}) =>
  makeIdentity(gateway.deps.db, { accountId: account.accountId, ...given })
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`
const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'identity',
  ...rest,
})

const notFound = '404 REQUESTED_ENTITY_NOT_FOUND'
const forbidden = '403 TOKEN_NOT_AUTHORIZED'

test('each call needs its permission: 403 without it, 404 for what the rules do not select', async (t) => {
  const [chosen, hidden] = [await add({ group: 'chosen' }), await add({ group: 'hidden' })]
  const calls = {
    view: (id: string, headers: Headers) => read(id, headers),
    update: (id: string, headers: Headers) => change(id, { displayName: 'x' }, headers),
    delete: (id: string, headers: Headers) => remove(id, headers),
  } as const
  for (const action of ['view', 'update', 'delete'] as const) {
    const none = await account.token([allow('register'), allow('view', { resourceType: 'item' })])
    t.is(summary(await calls[action](chosen.identityId, none)), forbidden)
    t.is(summary(await calls[action](newId(), none)), forbidden)
    for (const selector of [{ identityIds: [chosen.identityId] }, { groups: ['chosen'] }]) {
      const some = await account.token([allow(action, selector)])
      t.is(summary(await calls[action](hidden.identityId, some)), notFound)
      t.is(summary(await calls[action](newId(), some)), notFound)
      if (action !== 'delete') t.is((await calls[action](chosen.identityId, some)).status, 200)
    }
    if (action === 'view') continue
    const seeing = await account.token([allow('view'), allow(action, { groups: ['chosen'] })])
    t.is(summary(await calls[action](hidden.identityId, seeing)), forbidden)
  }
  t.is((await remove(chosen.identityId, await account.token([allow('delete', { groups: ['chosen'] })]))).status, 204)
})

test('creating needs create, in a group that the rule selects; register is not enough', async (t) => {
  t.is(summary(await create({ name: 'x' }, await account.token([allow('register')]))), forbidden)
  const some = await account.token([allow('create', { groups: ['open'] })])
  t.is((await create({ name: 'x', group: 'open' }, some)).status, 201)
  for (const group of [{ group: 'closed' }, {}]) t.is(summary(await create({ name: 'x', ...group }, some)), notFound)
})

test('a token sets a password only with reset-password, which no other rule implies', async (t) => {
  const { identityId } = await add()
  const body = { password: 'a new long password' }
  t.is(summary(await change(identityId, body, await account.token([allow('*')]))), forbidden)
  t.is((await change(identityId, body, await account.token([allow('*'), allow('reset-password')]))).status, 200)
})

test('the events of an identity are read with view of identity and of event', async (t) => {
  const created = (await create({ name: 'Eventful', group: 'eventful' })).json
  await change(created?.id, { displayName: 'x' })
  await add({ group: 'eventful' })
  const path = `${at('eventful/Eventful')}/events`
  const { json } = await ask({ path })
  const events = Object(json).data as Record<string, unknown>[]
  t.deepEqual(
    events.map(({ type, modelId }) => [type, modelId]),
    ['identity-updated', 'identity-created'].map((type) => [type, created?.id]),
  )
  t.deepEqual(Object((await ask({ path: `${path}?type=created&limit=1&after=` })).json).data.length, 1)
  const one = await ask({ path: `${path}/${events[1]?.id}` })
  t.like(one.json, { type: 'identity-created', snapshot: { name: 'Eventful' } })
  t.is(summary(await ask({ path: `${path}/${newId()}` })), notFound)
  const by = async (...rules: PermissionRule[]) => summary(await ask({ path, headers: await account.token(rules) }))
  const viewEvents = (rest: Partial<PermissionRule> = {}) => allow('view', { resourceType: 'event', ...rest })
  t.is(await by(allow('view'), viewEvents()), '200 undefined')
  t.is(await by(allow('view', { groups: ['eventful'] }), viewEvents({ groups: ['eventful'] })), '200 undefined')
  t.is(await by(allow('view')), forbidden)
  t.is(await by(viewEvents()), forbidden)
  t.is(await by(allow('view'), viewEvents({ groups: ['other'] })), notFound)
  t.is(await by(allow('view', { groups: ['other'] }), viewEvents()), notFound)
})

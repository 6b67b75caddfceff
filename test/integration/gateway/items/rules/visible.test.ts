import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addManyItems } from '../../../../support/databases/contents/many-items.ts'
import type { TestGateway } from '../../../../support/http/gateway.ts'
import { startGateway } from '../../../../support/http/gateway.ts'
import { type RuledItems, ruledItems } from '../../../../support/rules/ruled-gateway.ts'
import { callers, rulesFor, sampleNames, tokenTags } from '../../../../support/rules/samples.ts'
import { views } from '../../../../support/rules/view-table.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let at: RuledItems
let tokenId: string

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  at = await ruledItems(gateway)
  const body = { name: 'tried', tags: tokenTags, permissions: [] }
  tokenId = String((await at.ask({ method: 'POST', path: '/tokens', body })).json?.id)
})

const signIn: PermissionRule = { mode: 'allow', action: 'authenticate', resourceType: 'identity' }
const view: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'item' }

const count = (permissions: PermissionRule[], more: object = {}, path = at.path) =>
  at.ask({ method: 'POST', path: `${path}/visible-items`, body: { permissions, tokenId, ...more } })

test('the count of what a token would see matches the table of rules', async (t) => {
  for (const [claim, rules, seen] of views) {
    for (const [n, caller] of callers.entries()) {
      const identityId = caller === 'nobody' ? null : at.ids[caller]
      const sent = [signIn, ...rulesFor(rules, at.listId, (name) => at.items[name])]
      const { status, json } = await count(sent, { identityId })
      const expected = sampleNames.filter((name) => seen[name][n] === 'y').length
      t.deepEqual([status, json], [200, { count: expected, isAtLeast: false }], `${claim}, ${caller}`)
    }
  }
})

test('rules without conditions, and no rules, are counted too; an identity that may not sign in sees nothing', async (t) => {
  const { ada: identityId } = at.ids
  t.like((await count([])).json, { count: 0, isAtLeast: false })
  t.like((await count([view])).json, { count: 4 })
  t.like((await count([view], { identityId })).json, { count: 0 })
  t.like((await count([view, signIn], { identityId })).json, { count: 4 })
  t.like((await count([{ ...view, action: 'view-with-identity' }, signIn], { identityId })).json, { count: 1 })
  const named = [{ ...view, itemIds: [at.items.news] }]
  const seesList: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'list' }
  t.like((await count([...named, seesList])).json, { count: 1 })
  t.like((await count(named)).json, { count: 1 })
})

test.serial(
  'drafts count if the token may know of them, and a list that is not indexable is counted as well',
  async (t) => {
    const { json } = await at.ask({ method: 'POST', path: `${at.path}/items`, body: { activated: false } })
    const path = `${at.path}/items/${json?.id}`
    t.like((await count([view])).json, { count: 4 })
    t.like((await count([view, { ...view, action: 'update' }])).json, { count: 5 })
    await at.ask({ method: 'DELETE', path })
    await at.ask({ method: 'PUT', path: at.path, body: { indexable: false } })
    t.like((await count([view])).json, { count: 4 })
    await at.ask({ method: 'PUT', path: at.path, body: { indexable: true } })
  },
)

test('unknown lists, tokens and identities, and invalid rules, are named', async (t) => {
  const unknown = '01900000-0000-7000-8000-000000000009'
  const errors = async (permissions: PermissionRule[], more: object = {}) => {
    const { status, json } = await count(permissions, more)
    return [status, Object(json).details?.errors?.map(({ path }: { path: string }) => path)]
  }
  const rule: PermissionRule = { ...view, listIds: [at.listId], where: { colour: 'eq:red' } }
  t.deepEqual(await errors([rule]), [400, ['permissions.0.where.colour']])
  t.deepEqual(await errors([{ ...view, mode: 'maybe' } as never]), [400, ['permissions.0.mode']])
  t.deepEqual(await errors([view], { tokenId: unknown, identityId: unknown }), [400, ['tokenId', 'identityId']])
  t.is((await count([view], {}, `/lists/${unknown}`)).status, 404)
})

test('a count beyond the limit of a page is reported as at least that many', async (t) => {
  const { db } = gateway.deps
  const own = await at.ask({ method: 'POST', path: '/lists', body: { pathName: 'many' } })
  const path = `/lists/${own.json?.id}`
  await addManyItems(db, { accountId: at.account.accountId, listId: String(own.json?.id), count: 10_050, tag: 'all' })
  const rules: PermissionRule[] = [{ ...view, listIds: ['many'], where: { tagged: 'all' } }]
  t.deepEqual((await count(rules, {}, path)).json, { count: 10_000, isAtLeast: true })
})

test('a single token shows which of its rules are unknown, until they are saved again', async (t) => {
  const created = await at.ask({ method: 'POST', path: '/lists', body: { pathName: 'changing' } })
  const indexes = `/lists/${created.json?.id}/indexes`
  const body = { pathName: 'state', pointer: '/state', filtering: true }
  await at.ask({ method: 'POST', path: indexes, body })
  const permissions: PermissionRule[] = [view, { ...view, listIds: ['changing'], where: { state: 'eq:a' } }]
  const token = await at.ask({ method: 'POST', path: '/tokens', body: { name: 'changing', permissions } })
  t.false(Object.hasOwn(token.json ?? {}, 'unknownRules'))
  const path = `/tokens/${token.json?.id}`
  await at.ask({ method: 'PUT', path: `${indexes}/state`, body: { pointer: '/other' } })
  t.deepEqual((await at.ask({ path })).json?.unknownRules, [1])
  const saved = await at.ask({ method: 'PUT', path, body: { permissions: token.json?.permissions } })
  t.deepEqual([saved.status, Object.hasOwn(saved.json ?? {}, 'unknownRules')], [200, false])
  t.false(Object.hasOwn((await at.ask({ path })).json ?? {}, 'unknownRules'))
})

import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { listOfItems } from '../../../support/http/list-of-items.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let listId: string
let pathName: string

const indexes = [
  { name: 'Status', pathName: 'status', pointer: '/status', filtering: true },
  { name: 'Due', pathName: 'due', pointer: '/due', valueType: 'date', filtering: true },
  { name: 'Rank', pathName: 'rank', pointer: '/rank', valueType: 'number', filtering: true },
  { name: 'Sorted', pathName: 'sorted', pointer: '/sorted', sorting: true },
  { name: 'Secret', pathName: 'secret', pointer: '/secret', filtering: true, guard: true },
  { name: 'Off', pathName: 'off', pointer: '/off', filtering: true },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
  const list = await listOfItems({ gateway, account }, [])
  pathName = list.path.slice('/lists/'.length)
  listId = String((await ask({ path: list.path })).json?.id)
  for (const body of indexes) await ask({ method: 'POST', path: list.indexes, body })
  await ask({ method: 'PUT', path: `${list.indexes}/off`, body: { activated: false } })
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (permissions: object[]) => ask({ method: 'POST', path: '/tokens', body: { name: 'app', permissions } })
const rule = (more: object) => ({ mode: 'allow', action: 'update', resourceType: 'item', listIds: [listId], ...more })

const accepted: object[] = [
  { status: 'eq:published' },
  { 'index.status': 'in:a,b', due: 'before:$now', rank: 'gte:3' },
  {
    tagged: 'in:$identity.tags',
    createdAt: 'after:2026-01-01',
    updatedAt: 'lt:$now',
    readonly: true,
    size: 'lt:9',
  },
  { or: [{ status: 'eq:$identity.id' }, { not: { status: 'not:in:$token.tags' } }] },
  { status: ['not:eq:$identity.name', 'not:eq:$identity.group', 'not:eq:$token.id'] },
  { status: 'eq:$$5' },
  { status: 'in:$$5,a$b' },
]

test('conditions are stored with their token, and shown as they were sent', async (t) => {
  for (const where of accepted) {
    const sent = { ...rule({ where, becomes: where, changes: ['/status', 'tags'] }), listIds: [pathName] }
    const created = await create([sent])
    t.is(created.status, 201, JSON.stringify(created.json))
    const found = await ask({ path: `/tokens/${created.json?.id}` })
    t.deepEqual(found.json?.permissions, [{ ...sent, listIds: [listId] }])
    t.deepEqual(found.json?.lists, { [listId]: pathName })
  }
})

const rejected: [claim: string, where: object, place: string][] = [
  ['a name that no index has', { staus: 'x' }, '.staus'],
  ['a name that no index has, in an or', { or: [{ status: 'x' }, { staus: 'x' }] }, '.or.1.staus'],
  ['an index that does not filter', { sorted: 'x' }, '.sorted'],
  ['an index that guards its values', { secret: 'x' }, '.secret'],
  ['an index that is not activated', { off: 'x' }, '.off'],
  ['drafts, for which there are separate rules', { activated: false }, '.activated'],
  ['words', { search: 'soup' }, '.search'],
  ['the alias, which has its own filter on pages', { alias: 'x' }, '.alias'],
  ['the owner, which rules for owners select', { mine: true }, '.mine'],
  ['an operand of another type', { rank: 'eq:many' }, '.rank'],
  ['an unknown value of the caller', { status: 'eq:$identity.email' }, '.status'],
  ['a value of the caller among others', { status: 'in:a,$identity.id' }, '.status'],
  ['a value of the caller as a part', { status: '$identity.id' }, '.status'],
  ['a value of the caller as a beginning', { status: 'starts:$identity.id' }, '.status'],
  ['a text compared with numbers', { rank: 'eq:$identity.id' }, '.rank'],
  ['a time compared with texts', { status: 'eq:$now' }, '.status'],
  ['an operator that $now does not allow', { due: 'eq:$now' }, '.due'],
  [
    'more levels than are allowed',
    { not: { not: { not: { not: { not: { status: 'x' } } } } } },
    '.not.not.not.not.not',
  ],
  ['more conditions than are allowed', { status: Array.from({ length: 21 }, () => 'x') }, '.status'],
]

test('an impossible condition is 400 with its position', async (t) => {
  for (const [claim, where, place] of rejected) {
    for (const name of ['where', 'becomes']) {
      const reply = await create([{ mode: 'allow', action: 'view' }, rule({ [name]: where })])
      t.deepEqual([reply.status, reply.json?.name], [400, 'VALIDATION_FAILED'], claim)
      t.deepEqual(errorPaths(reply), [`permissions.1.${name}${place}`], claim)
    }
  }
})

test('a condition needs an existing list, and the other conditions are reported too', async (t) => {
  const gone = '01890a5d-ac96-774b-bcce-b302099a8057'
  const reply = await create([rule({ where: { staus: 'x' }, listIds: [listId, gone] })])
  t.deepEqual([reply.status, errorPaths(reply)], [400, ['permissions.0.listIds.1', 'permissions.0.where.staus']])
})

test('an update of rules is checked like a create, and one of other fields leaves conditions unchanged', async (t) => {
  const permissions = [rule({ where: { status: 'eq:draft' } })]
  const { json } = await create(permissions)
  const put = (body: object) => ask({ method: 'PUT', path: `/tokens/${json?.id}`, body })
  t.is((await put({ permissions: [rule({ where: { sorted: 'x' } })] })).status, 400)
  t.deepEqual((await put({ description: 'Changed' })).json?.permissions, permissions)
  t.deepEqual((await put({ permissions: [] })).json?.permissions, [])
})

test('more characters of conditions, or more lists of them, than a token may have are 400', async (t) => {
  const long = rule({ where: { status: `eq:${'x'.repeat(9_000)}` } })
  const tooLong = await create([long, long, long, long, long])
  t.deepEqual([tooLong.status, errorPaths(tooLong)], [400, ['permissions']])
  const lists = Array.from({ length: 101 }, (_, n) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`)
  const tooMany = await create([rule({ where: { status: 'x' }, listIds: lists })])
  t.deepEqual([tooMany.status, errorPaths(tooMany)], [400, ['permissions']])
})

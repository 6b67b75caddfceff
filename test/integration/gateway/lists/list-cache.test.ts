import test from 'ava'
import { createListCache, type ListConfig } from '#services/gateway/resources/lists/list-cache.ts'
import { withList } from '#services/gateway/resources/lists/with-list.ts'
import { createSchemaValidator } from '#services/gateway/validation/schema-validator.ts'
import { newId } from '#shared/crypto/ids.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { AppError } from '#shared/errors.ts'
import { addList, modifyList } from '../../../support/databases/contents/lists.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = newId()
const schemas = createSchemaValidator({ run: () => Promise.reject(new Error('nothing is validated')) })

test('a list is read once for all requests, by id or path name ignoring case, and per account', async (t) => {
  const { db } = await testDatabase(t)
  const id = await addList(db, accountId, { indexes: [{ pathName: 'pin', pointer: '/pin', guard: true }] })
  const lists = createListCache(db, schemas)
  const [one, two] = await Promise.all([lists.get(accountId, 'recipes'), lists.get(accountId, 'Recipes')])
  t.is(one, two)
  t.is(await lists.get(accountId, 'RECIPES'), one)
  t.is((await lists.get(accountId, id))?.list.id, id)
  t.deepEqual(one?.guards, ['/pin'])
  t.is(await lists.get(newId(), 'recipes'), null)
  t.is(await lists.get(newId(), id), null)
})

test('a missing list is not remembered as missing', async (t) => {
  const { db } = await testDatabase(t)
  const lists = createListCache(db, schemas)
  const early = lists.get(accountId, 'recipes')
  const id = await addList(db, accountId)
  t.is((await lists.get(accountId, 'recipes'))?.list.id, id)
  await early
  t.is((await lists.get(accountId, 'recipes'))?.list.id, id)
})

test('data read before a change is not current, and dropping it never drops anything newer', async (t) => {
  const { db } = await testDatabase(t)
  const id = await addList(db, accountId)
  const lists = createListCache(db, schemas)
  const old = (await lists.get(accountId, 'recipes')) as ListConfig
  t.true(await lists.isCurrent(accountId, 'recipes', old))
  await modifyList(db, id, { readonly: true })
  t.false(await lists.isCurrent(accountId, 'recipes', old))
  t.is(await lists.get(accountId, 'recipes'), old)
  lists.drop(accountId, 'recipes', old)
  const present = await lists.get(accountId, 'recipes')
  t.true(present?.list.readonly)
  lists.drop(accountId, 'recipes', old)
  t.is(await lists.get(accountId, 'recipes'), present)
})

test('the cached schemas are limited, and the least recently used one is evicted first', async (t) => {
  const { db } = await testDatabase(t)
  const lists = createListCache(db, schemas)
  const description = 'x'.repeat(1_000_000)
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const pathName of names) await addList(db, accountId, { pathName, schema: { description } })
  const [a, b] = [await lists.get(accountId, 'a'), await lists.get(accountId, 'b')]
  for (const name of ['a', 'c', 'd', 'e']) await lists.get(accountId, name)
  t.is(await lists.get(accountId, 'a'), a)
  t.not(await lists.get(accountId, 'b'), b)
})

test('a rejection by outdated settings is validated again, one by current settings stays', async (t) => {
  const { db } = await testDatabase(t)
  const id = await addList(db, accountId, { readonly: true })
  const lists = createListCache(db, schemas)
  const at = { accountId, ref: 'recipes' }
  const work = async (config: ListConfig | null) => {
    if (config?.list.readonly) throw new AppError('LIST_READONLY')
    return config?.list.configVersion
  }
  await t.throwsAsync(withList(lists, at, work), { name: 'LIST_READONLY' })
  await modifyList(db, id, { readonly: false })
  t.is(await withList(lists, at, work), 2)
})

test('work that finds the list outdated starts again with a fresh one', async (t) => {
  const { db } = await testDatabase(t)
  const id = await addList(db, accountId)
  const lists = createListCache(db, schemas)
  const seen: unknown[] = []
  const at = { accountId, ref: 'recipes' }
  await withList(lists, at, async (config) => {
    seen.push(config?.list.configVersion)
    if (seen.length > 2) return 'done'
    await modifyList(db, id, { description: 'x' })
    throw new Conflict('list')
  })
  t.deepEqual(seen, [1, 2, 3])
})

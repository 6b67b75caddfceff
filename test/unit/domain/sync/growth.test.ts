import test from 'ava'
import { assertIndexesWithin, listGrowth } from '#shared/domain/sync/growth.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const indexes = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { pointer: `/${name}` }]))

test('an account grows by the lists that a plan creates, minus those that it deletes', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { one: {}, two: {} } })
  t.is(listGrowth(world.plan({ scope: 'app', lists: { one: {}, three: {}, four: {} } })), 2)
  t.is(listGrowth(world.plan({ scope: 'app', lists: { three: {} } }, { prune: true })), -1)
})

test('a list may get indexes up to the limit; indexes that the document omits count, and those that it deletes do not', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { one: { indexes: indexes('a', 'b') } } })
  const adding = world.plan({ scope: 'app', lists: { one: { indexes: indexes('c') } } })
  t.notThrows(() => assertIndexesWithin(adding, world.lists, 3))
  const error = t.throws(() => assertIndexesWithin(adding, world.lists, 2))
  t.like(error, { name: 'MAX_INDEXES_EXCEEDED', details: { limit: 'maxIndexesPerList', max: 2 } })
  t.notThrows(() => assertIndexesWithin(adding, world.lists, null))
  const replacing = world.plan({ scope: 'app', lists: { one: { indexes: indexes('c', 'd') } } }, { prune: true })
  t.notThrows(() => assertIndexesWithin(replacing, world.lists, 1), 'as many as before')
  const created = world.plan({ scope: 'app', lists: { two: { indexes: indexes('a', 'b') } } })
  t.throws(() => assertIndexesWithin(created, world.lists, 1))
})

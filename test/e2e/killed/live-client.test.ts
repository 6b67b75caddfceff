import test from 'ava'
import { type Change, live, subscribe } from '#client/src/realtime.ts'
import { until } from '../../support/assertions/until.ts'
import { clientOf } from '../../support/processes/clients.ts'
import { testListd } from '../../support/processes/listd.ts'

test('a live list misses nothing when gateways are killed', async (t) => {
  const listd = await testListd(t)
  // Each start of a gateway uses another port.
  const toListd: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input))
    return fetch(new URL(pathname + search, listd.address), init)
  }
  const client = clientOf(listd).with({ fetch: toListd, timeoutMs: 120_000 })
  await client.lists.create({ name: 'Recipes', pathName: 'recipes', realtime: true })
  const recipes = client.list('recipes')
  const revisions: number[] = []
  const onChange = (change: Change) => 'revision' in change && revisions.push(change.revision)
  t.teardown(subscribe(client, { lists: ['recipes'], onChange }).close)
  const all = await live(recipes)
  t.teardown(() => all.close())
  const { id } = await recipes.create({ data: { n: 1 } })
  const numbers = Array.from({ length: 9 }, (_, at) => at + 2)
  for (const n of numbers) {
    if (n % 4 === 0) {
      const pid = listd.pidOf('gateway')
      listd.signal('gateway', 'SIGKILL')
      await listd.replaced('gateway', pid)
    }
    await until(
      () =>
        recipes.set(id, '/n', n).then(
          () => true,
          () => false,
        ),
      { withinMs: 60_000 },
    )
  }
  await until(() => all.items[0]?.data.n === 10 && all.state === 'connected', { withinMs: 60_000 })
  const last = Number(/\d+/.exec(all.items[0]?.etag ?? ''))
  t.deepEqual(
    revisions,
    Array.from({ length: last }, (_, at) => at + 1),
  )
})

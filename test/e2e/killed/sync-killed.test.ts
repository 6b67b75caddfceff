import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { anotherConnection } from '../../support/databases/database.ts'
import { testListd } from '../../support/processes/listd.ts'

const lists = 200

/** A document of lists with this text as their description and as the name of their index. */
const document = (text: string) => ({
  scope: 'app',
  lists: Object.fromEntries(
    Array.from({ length: lists }, (_, n) => [
      `list-${n}`,
      { description: text, indexes: { title: { pointer: '/title', name: text } } },
    ]),
  ),
})

test('a gateway killed while it applies a sync leaves all lists unchanged, or as in the document', async (t) => {
  const listd = await testListd(t)
  const db = await anotherConnection(t, listd.dataDir)
  const sync = (text: string) => listd.api('POST', '/sync-schema', { body: document(text) })
  t.is((await sync('first')).status, 200)
  let before = 'first'
  for (const ms of [10, 40, 80]) {
    const next = `after ${ms} ms`
    const sent = sync(next).catch(() => null)
    await pause(ms)
    const gateway = listd.pidOf('gateway')
    listd.signal('gateway', 'SIGKILL')
    const answer = await sent
    await listd.replaced('gateway', gateway)
    const rows = await db.all<{ description: string; name: string }>(
      'select lists.description, indexes.name from lists join indexes on indexes.list_id = lists.id',
    )
    t.is(rows.length, lists)
    const found = new Set(rows.flatMap(({ description, name }) => [description, name]))
    t.is(found.size, 1, [...found].join(', '))
    t.true(found.has(next) || (answer?.status !== 200 && found.has(before)))
    before = [...found][0] ?? ''
  }
  t.like(await sync('last'), { status: 200, json: { summary: { update: 2 * lists } } })
})

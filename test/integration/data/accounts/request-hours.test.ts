import test from 'ava'
import { addRequests, readRequests } from '#shared/data/accounts/request-hours.ts'
import { hourMs, lastHours } from '#shared/domain/hours.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const hours = lastHours(Date.UTC(2026, 2, 1, 12, 30))
const present = hours.at(-1) ?? 0

test('the requests of an hour add up, separately for each account and hour, even if gateways store at the same time', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  const rows = [
    { accountId: 'b', hour: present, requests: 1 },
    { accountId: 'a', hour: present, requests: 2 },
    { accountId: 'a', hour: present - hourMs, requests: 3 },
  ]
  await Promise.all([db, other, db, other].map((one, n) => addRequests(one, n % 2 ? rows : rows.toReversed())))
  await addRequests(db, [])
  t.deepEqual((await readRequests(db, 'a', hours)).slice(-3), [0, 12, 8])
  t.deepEqual((await readRequests(db, 'b', hours)).slice(-3), [0, 0, 4])
  t.is((await readRequests(db, 'c', hours)).length, 24)
})

test('hours that are two days old are deleted when the next ones of their account are stored', async (t) => {
  const { db } = await testDatabase(t)
  const at = (hour: number, accountId = 'a') => [{ accountId, hour, requests: 1 }]
  const old = present - 49 * hourMs
  for (const rows of [at(old), at(old, 'b'), at(old + hourMs)]) await addRequests(db, rows)
  await addRequests(db, at(present))
  t.deepEqual(await readRequests(db, 'a', [old, old + hourMs, present]), [0, 1, 1])
  t.deepEqual(await readRequests(db, 'b', [old]), [1])
})

import test from 'ava'
import { addCredits, readMonth, settleMonth, type UnsettledMonth } from '#shared/data/accounts/request-months.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { makeBareAccount } from '../../../support/sync/sync.ts'

const limits = { maxRequestsPerMonth: 10, overdraftPercent: 50 }
const month = 202_611

const row = (accountId: string, requests: number, more: Partial<UnsettledMonth> = {}): UnsettledMonth => ({
  accountId,
  month,
  limits,
  requests,
  blocked: 0,
  ...more,
})

test('the requests of a month add up, separately for each account and month', async (t) => {
  const { db } = await testDatabase(t)
  const [one, two] = [await makeBareAccount(db), await makeBareAccount(db)]
  t.deepEqual(await readMonth(db, one, month), { requests: 0, blocked: 0, credits: 0 })
  await settleMonth(db, [row(two, 1), row(one, 2, { blocked: 3 })])
  await settleMonth(db, [row(one, 100, { month: month + 1 })])
  const stored = await settleMonth(db, [row(one, 3)])
  t.deepEqual([...stored], [[one, { requests: 5, blocked: 3, credits: 0 }]])
  t.deepEqual(await readMonth(db, one, month), { requests: 5, blocked: 3, credits: 0 })
  t.like(await readMonth(db, two, month), { requests: 1 })
})

test('requests beyond allowance and overdraft use credits, each once even if gateways store at the same time', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const others = [db, await anotherConnection(t, dataDir)]
  const accountId = await makeBareAccount(db)
  t.is(await addCredits(db, accountId, 20), 20)
  await settleMonth(db, [row(accountId, 14)])
  await Promise.all([3, 4].flatMap((n) => others.map((one) => settleMonth(one, [row(accountId, n)]))))
  t.deepEqual(await readMonth(db, accountId, month), { requests: 28, blocked: 0, credits: 20 - 13 })
  await settleMonth(db, [row(accountId, 100)])
  t.like(await readMonth(db, accountId, month), { credits: 0 })
  t.is(await addCredits(db, accountId, -5), 0)
})

test('without a monthly limit no credits are used', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await addCredits(db, accountId, 5)
  await settleMonth(db, [row(accountId, 1_000, { limits: { maxRequestsPerMonth: null, overdraftPercent: null } })])
  t.like(await readMonth(db, accountId, month), { requests: 1_000, credits: 5 })
})

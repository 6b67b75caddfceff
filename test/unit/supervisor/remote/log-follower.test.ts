import test from 'ava'
import { createLogFollower, type ReadLog } from '#services/supervisor/remote/log-follower.ts'

const begun = Date.parse('2026-11-26T12:00:00.000Z')
/** The time of the client's clock, which is far from the server's. */
const ours = 500

type Row = { id: string; createdAt: string }

function rowAt(ms: number, id = `at ${ms}`): Row {
  return { id, createdAt: new Date(begun + ms).toISOString() }
}

/** A log to which rows are committed, with pages of two. */
function world(startAt?: number) {
  const log: Row[] = [rowAt(0, 'before')]
  const asked: (number | null)[] = []
  let now = ours
  const read: ReadLog<Row> = async ({ startAt, after }) => {
    const from = startAt === undefined ? null : Date.parse(startAt)
    if (after === '') asked.push(from === null ? null : from - begun)
    const rows = log
      .filter(({ createdAt }) => from === null || Date.parse(createdAt) >= from)
      .sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    const at = Number(after)
    return { limit: 2, data: rows.slice(at, at + 2), next: at + 2 < rows.length ? String(at + 2) : null }
  }
  const newest = log[0] ?? null
  const follower = createLogFollower(read, {
    newest,
    ...(startAt !== undefined && { startAt: begun + startAt }),
    now: () => now,
  })
  const round = async () => (await Array.fromAsync(follower.round())).flat().map(({ id }) => id)
  const commit = (...rows: Row[]) => log.push(...rows)
  return { round, commit, asked, log, wait: (ms: number) => (now += ms) }
}

test('each round returns the rows added since the previous one, oldest first, over several pages', async (t) => {
  const { round, commit, wait } = world()
  t.deepEqual(await round(), ['before'])
  wait(2_000)
  commit(...[1, 2, 3, 4, 5].map((n) => rowAt(n)))
  t.deepEqual(await round(), ['at 1', 'at 2', 'at 3', 'at 4', 'at 5'])
  t.deepEqual(await round(), [])
})

test('rows that are committed late are returned, and none twice', async (t) => {
  const { round, commit, wait } = world()
  await round()
  wait(20_000)
  commit(rowAt(20_000))
  t.deepEqual(await round(), ['at 20000'])
  wait(2_000)
  commit(rowAt(13_000), rowAt(21_999))
  t.deepEqual(await round(), ['at 13000', 'at 21999'])
  wait(1_000)
  commit(rowAt(14_000))
  t.deepEqual(await round(), ['at 14000'])
  t.deepEqual(await round(), [])
})

test('a row that arrives while a round is reading is found by the next one', async (t) => {
  const { round, commit, wait, log } = world()
  await round()
  wait(60_000)
  commit(rowAt(59_000), rowAt(60_000))
  await round()
  // The next round passes the time of a row that is not committed yet.
  wait(60_000)
  commit(rowAt(119_000))
  await round()
  wait(60_000)
  commit(rowAt(115_000), rowAt(179_000))
  t.deepEqual(await round(), ['at 115000', 'at 179000'])
  t.is(log.length, 6)
})

test('an idle log is read from later and later, so that nothing is read repeatedly', async (t) => {
  const { round, asked, wait } = world()
  for (let n = 0; n < 4; n++) {
    await round()
    wait(20_000)
  }
  t.deepEqual(asked, [-10_000, -10_000, 10_000, 30_000])
})

test('from a given time on, all later rows are returned', async (t) => {
  const { round, commit } = world(-3_600_000)
  commit(rowAt(-3_600_001), rowAt(-3_600_000), rowAt(-5_000))
  t.deepEqual(await round(), ['at -3600000', 'at -5000', 'before'])
  t.deepEqual(await round(), [])
})

import test from 'ava'
import { createApi } from '../support/api.ts'
import { type Listd, testListd } from '../support/listd.ts'

const roundMs = 1_500
const rounds = 4

/** Latencies in milliseconds of reading an item, again and again over a few connections. */
async function readItems(listd: Listd, path: string): Promise<number[]> {
  const times: number[] = []
  const endsAt = performance.now() + roundMs
  const keepReading = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      const { status } = await listd.api('GET', path)
      if (status !== 200) throw new Error(`reading an item answered ${status}`)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: 4 }, keepReading))
  return times
}

/** Logins of users that do not exist, each from an address of its own, so that every one costs a verification. */
function flood(listd: Listd): () => Promise<number[]> {
  const anyone = createApi(() => listd.address, {})
  const statuses: number[] = []
  let flooding = true
  let count = 0
  const keepTrying = async () => {
    while (flooding) {
      const n = ++count
      const headers = { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
      const body = { email: `nobody-${n}@example.com`, password: 'a wrong password' }
      statuses.push((await anyone('POST', '/auth/login', { headers, body })).status)
    }
  }
  const workers = Promise.all(Array.from({ length: 16 }, keepTrying))
  return async () => {
    flooding = false
    await workers
    return statuses
  }
}

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test("a flood of logins leaves the gateway's p99 within three times its quiet value, and health green", async (t) => {
  t.timeout(90_000)
  const listd = await testListd(t, { env: { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } })
  await listd.api('POST', '/sync-schema', { body: { lists: { recipes: {} } } })
  const { json } = await listd.api('POST', '/lists/recipes/items', { body: { data: { title: 'Soup' } } })
  const path = `/lists/recipes/items/${json.id}`
  await readItems(listd, path) // warm
  const quiet: number[] = []
  const flooded: number[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(p99(await readItems(listd, path)))
    const stop = flood(listd)
    flooded.push(p99(await readItems(listd, path)))
    t.like(await listd.api('GET', '/health/ready'), { status: 200, json: { status: 'ok' } })
    const statuses = await stop()
    t.true(statuses.includes(401))
    t.true(statuses.every((status) => status === 401 || status === 503))
  }
  const ratio = median(flooded) / median(quiet)
  t.log(
    `p99 quiet ${quiet.map((ms) => ms.toFixed(1))}, flooded ${flooded.map((ms) => ms.toFixed(1))}: ${ratio.toFixed(2)}`,
  )
  t.true(ratio <= 3, `p99 ${median(flooded)} ms beside a quiet ${median(quiet)} ms`)
})

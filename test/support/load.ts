import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { createItem, type Scene } from './scene.ts'

export type Load = {
  /** Ids of the items whose creation was acknowledged. */
  acknowledged: string[]
  /** Creations that were refused or whose answer was lost. */
  failures(): number
  stop(): Promise<void>
}

/**
 * Creates items, so many at a time, until it is stopped; a failure only counts, as a client would try again later.
 * @param options.ahead it waits while this many deliveries are still to come: a webhook takes them one by one, and how
 *   fast depends on the database
 */
export function keepCreating(scene: Scene, { atOnce = 8, ahead = Number.POSITIVE_INFINITY } = {}): Load {
  const acknowledged: string[] = []
  let failures = 0
  let stopped = false

  async function keepOn(): Promise<void> {
    while (!stopped) {
      const toCome = acknowledged.length * scene.webhooks.length - scene.receiver.requests.length
      if (toCome >= ahead) {
        await delay(5)
        continue
      }
      try {
        acknowledged.push(await createItem(scene))
      } catch {
        failures++
        await delay(5)
      }
    }
  }

  const workers = Array.from({ length: atOnce }, keepOn)
  return {
    acknowledged,
    failures: () => failures,
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

const connections = 64
const tickMs = 10

/** Creates items at a steady rate until it is stopped, whether or not earlier ones are answered, in each list in turn. */
export function createSteadily({ listd }: Scene, options: { perSecond: number; lists: readonly string[] }): Load {
  const { perSecond, lists } = options
  const pool = new Pool(listd.address, { connections })
  const headers = { 'content-type': 'application/json', 'x-api-token': listd.credentials.token }
  const open = new Set<Promise<void>>()
  const acknowledged: string[] = []
  const beganAt = performance.now()
  let failures = 0
  let sent = 0

  async function create(n: number): Promise<void> {
    const path = `/lists/${lists[n % lists.length]}/items`
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path,
      headers,
      body: `{"data":{"title":"Soup no. ${n}"}}`,
    })
    const answer = Object(await body.json())
    if (statusCode === 201) acknowledged.push(answer.id)
    else failures++
  }

  const timer = setInterval(() => {
    for (const due = ((performance.now() - beganAt) / 1_000) * perSecond; sent < due; sent++) {
      const creation = create(sent).catch(() => void failures++)
      open.add(creation)
      void creation.then(() => open.delete(creation))
    }
  }, tickMs)
  return {
    acknowledged,
    failures: () => failures,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      if (!pool.closed) await pool.close()
    },
  }
}

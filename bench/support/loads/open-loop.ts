import { type Dispatcher, Pool } from 'undici'
import { monotonicMs, sleep } from '../clock.ts'

/** A request of an open-loop load: when it was passed to the connection, and when its answer was read. */
export type Sent = { mark: string; sentAt: number; answeredAt: number }

export type OpenLoop = {
  origin: string
  perSecond: number
  seconds: number
  /** The nth request. */
  request(n: number): { path: string; headers: Record<string, string>; body: string; mark: string }
}

/** Connections kept open; far more than there are requests at once. */
const connections = 32

/**
 * Sends requests at independent random times, as clients do (a Poisson process), whether or not earlier ones have been
 * answered.
 * @throws Error on any answer but a success
 */
export async function applyOpenLoop({ origin, perSecond, seconds, request }: OpenLoop): Promise<Sent[]> {
  const pool = new Pool(origin, { connections, pipelining: 1, allowH2: false })
  const sent: Promise<Sent>[] = []
  const startedAt = monotonicMs()
  for (let dueAt = startedAt; dueAt < startedAt + seconds * 1_000; dueAt += gapMs(perSecond)) {
    const waitMs = dueAt - monotonicMs()
    if (waitMs > 0) await sleep(waitMs)
    sent.push(send(pool, request(sent.length)))
  }
  const all = await Promise.all(sent)
  await pool.close()
  return all
}

function gapMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1_000) / perSecond
}

/** @throws Error on any answer but a success */
export async function send(
  to: Dispatcher,
  { mark, path, headers, body }: ReturnType<OpenLoop['request']>,
): Promise<Sent> {
  const sentAt = monotonicMs()
  const all = { 'content-type': 'application/json', ...headers }
  const answer = await to.request({ method: 'POST', path, headers: all, body })
  await answer.body.dump()
  if (answer.statusCode > 299) throw new Error(`a request was answered ${answer.statusCode}`)
  return { mark, sentAt, answeredAt: monotonicMs() }
}

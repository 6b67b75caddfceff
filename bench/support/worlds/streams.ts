import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createApi } from '../../../test/support/http/api.ts'
import { monotonicMs, until } from '../clock.ts'
import type { BenchAccount } from './account.ts'
import type { Listd } from './listd.ts'

/** An open stream; `arrived`: when the frame of each created item came, by the `n` of its data, in monotonic milliseconds. */
export type StreamReader = { arrived: Map<number, number>; close(): void }

/** @param query in addition to the types */
export async function openStream(
  origin: string,
  { token, query = '' }: { token: string; query?: string },
): Promise<StreamReader> {
  const headers = { 'x-api-token': token }
  const asked = request(`${origin}/realtime?eventTypes=item-created${query}`, { headers, agent: false })
  asked.on('error', () => {}).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`a stream is answered ${response.statusCode}`)
  const arrived = new Map<number, number>()
  let rest = ''
  response.setEncoding('utf8').on('error', () => {})
  response.on('data', (text: string) => {
    const at = monotonicMs()
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const n = /"n":(\d+)/.exec(frame)?.[1]
      if (n !== undefined) arrived.set(Number(n), at)
    }
  })
  return { arrived, close: () => void asked.destroy() }
}

/** Opens streams one after the other. */
export async function openStreams(
  origin: string,
  { token, count }: { token: string; count: number },
): Promise<StreamReader[]> {
  const readers: StreamReader[] = []
  for (let n = 0; n < count; n++) readers.push(await openStream(origin, { token }))
  return readers
}

export function allArrived(readers: readonly StreamReader[], count: number): Promise<void> {
  return until(() => readers.every(({ arrived }) => arrived.size === count), { what: 'every frame', withinMs: 60_000 })
}

/** Makes lists; the value says whether each is realtime. */
export async function makeStreamedLists(
  { listd, account }: { listd: Listd; account: BenchAccount },
  lists: Readonly<Record<string, boolean>>,
): Promise<void> {
  const user = createApi(() => listd.address, { authorization: `Bearer ${account.session}` })
  for (const [pathName, realtime] of Object.entries(lists)) {
    const { status, text } = await user('POST', '/lists', { body: { name: pathName, pathName, realtime } })
    if (status >= 300) throw new Error(text)
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#client/src/client.ts'
import { type Change, type Live, live, type StreamState, subscribe } from '#client/src/realtime.ts'
import type { Item } from '#client/src/types/resources.ts'
import { type EventStream, type Frame, openEvents } from '../http/event-stream.ts'
import type { Teardown } from '../test-context/teardown.ts'
import type { GatewayPair } from './gateway-pair.ts'

/** Follows a list with `subscribe`. */
// biome-ignore lint/suspicious/noExplicitAny: the data are those of the writers
export type Follower = { changes: Change<any>[]; states: StreamState[] }

/** Resolves when it is connected. */
export async function follow(t: Teardown, client: Client, list: string): Promise<Follower> {
  const follower: Follower = { changes: [], states: [] }
  await new Promise<void>((resolve) => {
    const { close } = subscribe(client, {
      lists: [list],
      onChange: (change) => follower.changes.push(change),
      onState(state) {
        follower.states.push(state)
        if (state === 'connected') resolve()
      },
    })
    t.teardown(close)
  })
  return follower
}

/** A query of a list, and what is shown of it. */
// biome-ignore lint/suspicious/noExplicitAny: the data are those of the writers
export type LiveList = { client: Client; question: object; shown: Live<any> }

export async function watch(
  t: Teardown,
  client: Client,
  { list, question }: { list: string; question: object },
): Promise<LiveList> {
  const ending = new AbortController()
  t.teardown(() => ending.abort())
  const shown = await live(client.list(list), { ...question, signal: ending.signal })
  return { client, question, shown }
}

/** @returns true: it equals the current page; otherwise, the positions where they differ */
export async function isAsItsPage({ client, question, shown }: LiveList, list: string): Promise<true | object> {
  const { data } = await client.list(list).items(question).after()
  const [page, items] = [data.map(textOf), shown.items.map(textOf)]
  const places = [...page, ...items].flatMap((_, n) => (page[n] === items[n] ? [] : [[n, page[n], items[n]]]))
  return (places.length === 0 && shown.state === 'connected') || { question, state: shown.state, places }
}

const textOf = ({ id, etag, data }: Item<unknown>) => `${id} ${etag} ${JSON.stringify(data)}`

/** The frames of a stream that is read as bytes, one array for each connection. */
export type RawReader = { connections: Frame[][]; stop(): void }

/** Reads a stream without the client: it resumes at the last id that it has seen, as soon as its connection has ended. */
export function readRaw(
  t: Teardown,
  pair: GatewayPair,
  { list, headers }: { list: string; headers: Record<string, string> },
): RawReader {
  const connections: Frame[][] = []
  let stopped = false
  let lastId: string | null = null

  async function readOnce(): Promise<void> {
    const resume = lastId === null ? headers : { ...headers, 'last-event-id': lastId }
    const stream: EventStream = await openEvents(t, pair.port(), {
      query: `eventTypes=*&listIds=${list}`,
      headers: resume,
    })
    connections.push(stream.frames())
    while (!stream.ended() && !stopped) await pause(5)
    stream.close()
    lastId = stream.lastId() ?? lastId
  }

  async function readOn(): Promise<void> {
    while (!stopped) await readOnce().catch(() => pause(20))
  }

  t.teardown(() => (stopped = true))
  void readOn()
  return { connections, stop: () => (stopped = true) }
}

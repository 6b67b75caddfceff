import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { until } from '../assertions/until.ts'
import type { Teardown } from '../test-context/teardown.ts'

/** A frame of server-sent events; `data` is what its JSON says. */
// biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
export type Frame = { id: string | null; event: string | null; data: any }

export type EventStream = {
  response: IncomingMessage
  /** Frames with an event so far. */
  frames(): Frame[]
  /** Waits for a total number of frames of these events, and returns them. */
  wait(count: number, ...events: string[]): Promise<Frame[]>
  /** The id that a client would resume at. */
  lastId(): string | null
  ended(): boolean
  close(): void
}

/** Opens the stream; the answer must be a stream. */
export async function openEvents(
  t: Teardown,
  port: number,
  { query, headers }: { query: string; headers: Record<string, string> },
): Promise<EventStream> {
  const asked: ClientRequest = request({ port, host: '127.0.0.1', path: `/realtime?${query}`, headers, agent: false })
  asked.on('error', () => {})
  asked.end()
  t.teardown(() => asked.destroy())
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  let ended = false
  const frames: Frame[] = []
  let lastId: string | null = null
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.on('data', (piece: string) => {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const frame = parseFrame(block)
      lastId = frame.id ?? lastId
      if (frame.event !== null) frames.push(frame)
    }
  })
  response.on('close', () => (ended = true))
  if (response.statusCode !== 200) {
    await once(response, 'end')
    throw new Error(`${response.statusCode}: ${text}`)
  }
  const of = (events: readonly string[]) =>
    frames.filter(({ event }) => events.length === 0 || events.includes(event ?? ''))
  return {
    response,
    frames: () => frames,
    async wait(count, ...events) {
      await until(() => of(events).length >= count || JSON.stringify(frames.map(({ event }) => event)))
      return of(events)
    },
    lastId: () => lastId,
    ended: () => ended,
    close: () => void asked.destroy(),
  }
}

function parseFrame(block: string): Frame {
  const lines = block.split('\n').map((line) => /^([a-z]*): ?(.*)$/.exec(line) ?? ['', '', ''])
  const of = (name: string) => lines.filter(([, key]) => key === name).map(([, , value]) => value ?? '')
  const data = of('data').join('\n')
  return { id: of('id')[0] ?? null, event: of('event')[0] ?? null, data: data === '' ? null : JSON.parse(data) }
}

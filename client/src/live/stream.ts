import type { ListdError } from '../error.ts'
import { type Send, streamRoute } from '../transport.ts'
import { readBlocks } from './blocks.ts'

/**
 * The state of a stream. `connected`: nothing is missed; `behind`: it is being reopened, and missed changes will follow; `reset`: unknown
 * changes were missed, so fetch again; `ended`: the service rejects it.
 */
export type StreamState = 'connected' | 'behind' | 'reset' | 'ended'

// biome-ignore lint/suspicious/noExplicitAny: what the service sends, which each follower knows
type Sent = any

/** A listener of a stream that many share. */
export type Follower = {
  /** Names or ids of lists. */
  names: readonly string[]
  onFrame(event: string, data: Sent): void
  onState(state: StreamState, error?: unknown): void
}

type Opened = { body: ReadableStream<Uint8Array>; parse: (text: string) => unknown }

/** The number of reported changes that are remembered. */
const maxSeen = 10_000

/** Whether retrying a request is useless. */
export const isFinal = (error: unknown) => /^4(?!29)/.test(`${(error as ListdError).status}`)

/** Milliseconds to wait after so many failures: doubled each time, and up to a half less by chance. */
export const backoff = (failures: number) => Math.min(30_000, 500 * 2 ** failures) * (1 - Math.random() / 2)

/** Calls a listener later, so that its errors do not affect the stream. */
export function later<Given extends unknown[]>(
  listener: ((...given: Given) => void) | undefined,
): (...given: Given) => void {
  return (...given) => void Promise.resolve().then(() => listener?.(...given))
}

const streams = new WeakMap<Send, SharedStream>()

/** Follows the single stream that a client has in this tab. @returns a function that stops following */
export function follow(send: Send, follower: Follower): () => void {
  if (!streams.has(send)) streams.set(send, new SharedStream(send))
  return streams.get(send)?.add(follower) as () => void
}

class SharedStream {
  readonly #send: Send
  readonly #followers = new Set<Follower>()
  #seen = new Set<string>()
  #last: string | undefined
  #isRunning = false
  #failures = 0
  #opening = new AbortController()
  /** The ids of what the stream that is open names; undefined: none is open. */
  #ids: Map<string, string> | undefined
  #wake = () => {}

  constructor(send: Send) {
    this.#send = send
  }

  add(follower: Follower): () => void {
    this.#followers.add(follower)
    if (!this.#isRunning) void this.#run()
    // Without it, the next stream continues after what the others have seen.
    else if (!this.#opening.signal.aborted && this.#isOpenFor(follower)) follower.onState('connected')
    else this.#restart()
    return () => {
      if (this.#followers.delete(follower) && this.#followers.size === 0) this.#restart()
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#followers.size > 0) {
      this.#opening = new AbortController()
      await this.#runOnce(this.#opening.signal)
      this.#ids = undefined
    }
    this.#isRunning = false
    this.#last = undefined
  }

  #restart(): void {
    this.#opening.abort()
    this.#wake()
  }

  /** Reads a stream until it ends, and waits until the next may be opened. */
  async #runOnce(signal: AbortSignal): Promise<void> {
    await null // Who begins to follow at the same time is in the same stream.
    const names = [...new Set([...this.#followers].flatMap((one) => one.names))]
    let retryMs: number | undefined
    try {
      const { body, parse } = await this.#open(names, signal)
      await readBlocks(body, signal, (field) => {
        const event = field('event')
        const sent = event && (parse(field('data')) as Sent)
        if (event === 'end') retryMs = sent.retryMs
        else if (event) this.#take(names, event, sent)
        this.#last = field('id') || this.#last
      })
    } catch (error) {
      if (!signal.aborted && isFinal(error)) return this.#blame(error, names, signal)
    }
    if (signal.aborted) return
    this.#ids = undefined
    this.#notify('behind')
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      setTimeout(resolve, retryMs ?? backoff(this.#failures++))
    })
  }

  #open(names: readonly string[], signal: AbortSignal) {
    return this.#send<Opened>(streamRoute, {
      options: { signal, eventTypes: '*', listIds: names.join(), after: this.#last },
      read: (_none, { body }, parse) => ({ body, parse }),
    })
  }

  #notify(state: StreamState): void {
    for (const one of [...this.#followers]) one.onState(state)
  }

  #isOpenFor({ names }: Follower): boolean {
    return names.every((name) => this.#ids?.has(name))
  }

  #take(names: readonly string[], event: string, sent: Sent): void {
    if (event === 'ready') {
      this.#failures = 0
      this.#ids = new Map(names.map((name, n) => [name, sent.lists[n]]))
      for (const one of [...this.#followers]) if (this.#isOpenFor(one)) one.onState('connected')
    } else if (event === 'reset') {
      this.#notify('reset')
      this.#notify('connected')
    } else if (!this.#seen.has(sent.eventId)) {
      // What is sent again over a reconnect is reported once.
      if (this.#seen.size > maxSeen) this.#seen.clear()
      this.#seen.add(sent.eventId)
      for (const one of [...this.#followers])
        if (one.names.some((name) => this.#ids?.get(name) === sent.listId)) one.onFrame(event, sent)
    }
  }

  /** Ends the followers of each list that the service rejects; if it rejects none individually, all followers. */
  async #blame(error: unknown, names: readonly string[], signal: AbortSignal): Promise<void> {
    let isFound = false
    const end = (own: unknown, of?: string) => {
      isFound = true
      for (const one of [...this.#followers])
        if ((!of || one.names.includes(of)) && this.#followers.delete(one)) one.onState('ended', own)
    }
    for (const name of names) {
      await this.#open([name], signal).then(
        ({ body }) => body.cancel(),
        (own) => isFinal(own) && end(own, name),
      )
    }
    if (!isFound) end(error)
  }
}

import { createHintQueue } from '#shared/bus/hint-queue.ts'
import type { GatewayHints } from '#shared/bus/messages/gateway.ts'
import type { Committed } from '#shared/data/events/committed.ts'
import { createHints, type Hint, type HintTopic, hintsOf } from '#shared/domain/realtime/hints.ts'

/** The hints of one stream. */
export type HintWatch = {
  /** Whether there are hints, and it is time to send them. */
  isDue(): boolean
  take(): Hint[]
  /** Calls `wake` when some are due, until the returned function is called. */
  watch(wake: () => void): () => void
  end(): void
}

/** Notifies streams of changes in their account; does nothing for an account without streams. */
export type HintHub = {
  open(accountId: string, topics: readonly HintTopic[]): HintWatch
  /** Sends hints of this gateway about an account. Returns at once. */
  note(accountId: string, hints: readonly Hint[]): void
  /** The same with the hints of what this gateway has committed. */
  commit(committed: readonly Committed[]): void
  /** Receives the hints of another gateway, a dispatcher or the identity service. */
  hear(message: Omit<GatewayHints, 'instance'> & { instance?: string }): void
  close(): void
}

/** The shortest time between hints for a stream, and between messages for other gateways. */
const everyMs = { stream: 500, gateway: 250 } as const

type HintHubOptions = {
  instance: string
  /** Streams of an account on other gateways. */
  elsewhere(accountId: string): number
  broadcast(message: GatewayHints): void
}

type Watching = HintWatch & { add(hints: readonly Hint[]): void }

export function createHintHub({ instance, elsewhere, broadcast }: HintHubOptions): HintHub {
  const watching = new Map<string, Set<Watching>>()
  const outgoing = createHintQueue(everyMs.gateway, (message) => broadcast({ instance, ...message }))

  const isHeard = (accountId: string) => watching.has(accountId) || elsewhere(accountId) > 0

  function note(accountId: string, hints: readonly Hint[]): void {
    for (const stream of watching.get(accountId) ?? []) stream.add(hints)
    if (elsewhere(accountId) > 0) outgoing.add(accountId, hints)
  }

  return {
    open(accountId, topics) {
      const streams = watching.get(accountId) ?? new Set()
      watching.set(accountId, streams)
      const watch = createWatch(topics, () => {
        streams.delete(watch)
        if (streams.size === 0 && watching.get(accountId) === streams) watching.delete(accountId)
      })
      streams.add(watch)
      return watch
    },
    note,
    commit(committed) {
      for (const one of committed) if (isHeard(one.accountId)) note(one.accountId, hintsOf(one))
    },
    hear(message) {
      if (message.instance === instance) return
      for (const stream of watching.get(message.accountId) ?? []) stream.add(message.hints)
    },
    close: outgoing.close,
  }
}

function createWatch(topics: readonly HintTopic[], onEnd: () => void): Watching {
  const hints = createHints()
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  let nextAt = 0
  let due = false
  return {
    add(added) {
      for (const hint of added) if (topics.includes(hint.topic)) hints.add(hint)
      if (hints.isEmpty()) return
      timer ??= setTimeout(
        () => {
          due = true
          wake()
        },
        Math.max(0, nextAt - performance.now()),
      )
    },
    isDue: () => due,
    take() {
      due = false
      timer = undefined
      nextAt = performance.now() + everyMs.stream
      return hints.take()
    },
    watch(called) {
      wake = called
      return () => {
        wake = () => {}
      }
    },
    end() {
      clearTimeout(timer)
      onEnd()
    },
  }
}

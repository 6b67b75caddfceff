import { setImmediate as nextTick } from 'node:timers/promises'
import type { JsMsg } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { pause, retryMs } from '../back-off.ts'
import { eventGroup } from '../messages/events.ts'

export type Batches = {
  /** Resolves when there is room for another message. */
  add(message: JsMsg): Promise<void>
  /** Waits for the batch in flight and returns the messages that wait. */
  stop(): Promise<void>
}

export type BatchOptions = {
  log: Logger
  /** Event ids in one call at most, unless a single message carries more. */
  maxEventIds: number
  /** Called for one batch at a time. If it rejects, it is called with the batch again, until `stop`. */
  handle(eventIds: string[]): Promise<void>
  /** Returns a message, for another process or the next run of this one. */
  giveBack(message: JsMsg): void
}

/** How many messages may wait in this process. */
export const maxWaiting = 64

type WaitingMessage = { message: JsMsg; eventIds: string[] }

/** Passes on everything that arrived during the last batch as the next one; never waits for a batch to fill. */
export function createBatches({ handle, giveBack, maxEventIds, log }: BatchOptions): Batches {
  const waiting: WaitingMessage[] = []
  const stopping = new AbortController()
  let inFlight: Promise<void> | null = null
  let failures = 0

  async function handleWaiting(): Promise<void> {
    await nextTick() // messages of the same packet share a batch
    while (waiting.length > 0 && !stopping.signal.aborted) await handleBatch(takeBatch(waiting, maxEventIds))
    inFlight = null
  }

  async function handleBatch(batch: WaitingMessage[]): Promise<void> {
    try {
      await handle(batch.flatMap(({ eventIds }) => eventIds))
      failures = 0
    } catch (error) {
      log('bus.events_failed', { err: error, messages: batch.length })
      waiting.unshift(...batch)
      await pause(retryMs(failures++), stopping.signal)
    }
  }

  return {
    async add(message) {
      if (stopping.signal.aborted) return giveBack(message)
      const eventIds = readEventIds(message, log)
      if (!eventIds) return
      waiting.push({ message, eventIds })
      inFlight ??= handleWaiting()
      if (waiting.length >= maxWaiting) await inFlight
    },
    async stop() {
      stopping.abort()
      await inFlight
      for (const { message } of waiting.splice(0)) giveBack(message)
    },
  }
}

function takeBatch(waiting: WaitingMessage[], maxEventIds: number): WaitingMessage[] {
  let count = 0
  const end = waiting.findIndex(({ eventIds }, position) => {
    count += eventIds.length
    return position > 0 && count > maxEventIds
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/** @returns null when the message has another shape; the sweep of the outbox finds its events */
function readEventIds(message: JsMsg, log: Logger): string[] | null {
  const { error, value } = eventGroup.validate(parse(message.string()))
  if (!error) return value.eventIds
  log('stream.message_invalid', { subject: message.subject })
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

import { setImmediate as nextTick } from 'node:timers/promises'
import type { JsMsg } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { backOffMs } from './back-off.ts'
import { eventGroup } from './messages/events.ts'
import { pause } from './waits.ts'

export type Batches = {
  /** Resolves when there is room for another message. */
  add(message: JsMsg): Promise<void>
  /** Lets the batch at work end and gives back what waits. */
  stop(): Promise<void>
}

export type BatchOptions = {
  log: Logger
  /** Most event ids handed over in one call, but for a single message that carries more. */
  maxEventIds: number
  /** Called for one batch at a time; a throw gives the batch back, to come again, here or at another process. */
  handle(eventIds: string[]): Promise<void>
}

/** Most messages that wait in this process. */
export const maxHeld = 64

type Held = { message: JsMsg; eventIds: string[] }

/** Hands over what has come in meanwhile as one batch, and never waits for a batch to fill. */
export function createBatches({ handle, maxEventIds, log }: BatchOptions): Batches {
  const waiting: Held[] = []
  const stopping = new AbortController()
  let working: Promise<void> | null = null
  let failures = 0

  async function work(): Promise<void> {
    await nextTick() // what came in the same packet is gathered first
    while (waiting.length > 0 && !stopping.signal.aborted) await settle(takeBatch(waiting, maxEventIds))
    working = null
  }

  async function settle(batch: Held[]): Promise<void> {
    try {
      await handle(batch.flatMap(({ eventIds }) => eventIds))
      for (const { message } of batch) message.ack()
      failures = 0
    } catch (error) {
      const againMs = backOffMs(failures++, Math.random())
      log('bus.events_failed', { err: error, messages: batch.length })
      for (const { message } of batch) message.nak(Math.ceil(againMs))
      await pause(againMs, stopping.signal)
    }
  }

  return {
    async add(message) {
      if (stopping.signal.aborted) return message.nak()
      const eventIds = readEventIds(message, log)
      if (!eventIds) return
      waiting.push({ message, eventIds })
      working ??= work()
      if (waiting.length >= maxHeld) await working
    },
    async stop() {
      stopping.abort()
      await working
      for (const { message } of waiting.splice(0)) message.nak()
    },
  }
}

function takeBatch(waiting: Held[], maxEventIds: number): Held[] {
  let count = 0
  const end = waiting.findIndex(({ eventIds }, position) => {
    count += eventIds.length
    return position > 0 && count > maxEventIds
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/** A message of another shape is never delivered again: the sweep of the outbox does not need it. */
function readEventIds(message: JsMsg, log: Logger): string[] | null {
  const { error, value } = eventGroup.validate(parse(message.string()))
  if (!error) return value.eventIds
  log('stream.message_invalid', { subject: message.subject })
  message.term()
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

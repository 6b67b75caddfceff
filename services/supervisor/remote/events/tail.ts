import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Event } from '#client/src/main.ts'
import { type StreamState, subscribe } from '#client/src/realtime.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { untilInterrupted } from '../../terminal/until-interrupted.ts'
import { followLog } from '../follow-log.ts'
import { type ProfileOptions, withProfile } from '../sessions/with-profile.ts'
import { eventLine } from './event-line.ts'

export type TailOptions = ProfileOptions & {
  stream?: string
  type?: string
  list?: string
  startAt?: string
  json?: true
}

/** The pause after everything was read. A list's stream ends it early, except for changes that it does not report, such as those of indexes. */
const intervalMs = { withStream: 30_000, withoutStream: 2_000 } as const

/**
 * `listd events tail`: prints new events of the account's event log, from now on or from a given time, until interrupted. JSON has an
 * event on each line. For a list with `realtime`, its stream reports when there is something to read.
 * @throws CommandFailed for a failed call that would fail again
 */
export async function tailEventsCommand(terminal: Terminal, options: TailOptions): Promise<void> {
  const { stream, type } = options
  const startAt = options.startAt === undefined ? undefined : readTime(options.startAt)
  const show = options.json ? JSON.stringify : eventLine
  await withProfile(terminal, options, (user) =>
    untilInterrupted(async (signal) => {
      const list = options.list === undefined ? undefined : await user.client.lists.get(options.list, { signal })
      const print = (events: readonly Event[]) => {
        const wanted = events.filter(({ listId }) => !list || listId === list.id)
        terminal.stdout.write(wanted.map((event) => `${show(event)}\n`).join(''))
      }
      // The first call is not retried, so that a wrong address is reported.
      const newest = await user.events().first()
      const log = followLog(terminal, user.client, {
        call: 'GET /events',
        filters: { stream, type },
        newest,
        startAt,
        signal,
      })
      for await (const events of log.round()) if (startAt !== undefined) print(events)
      terminal.stderr.write('Waiting for events; press ctrl-c to stop.\n')
      const bell = createBell(user.client, { listId: list?.realtime ? list.id : undefined, signal })
      for (;;) {
        await bell.rung()
        for await (const events of log.round()) print(events)
      }
    }),
  )
}

/** Decides when to read the log again: at intervals, and at once when a list with a stream has changed. */
function createBell(client: Client, { listId, signal }: { listId: string | undefined; signal: AbortSignal }) {
  let ring = new AbortController()
  let isConnected = false
  if (listId !== undefined) {
    const onState = (state: StreamState) => {
      isConnected = state === 'connected'
      // For events from before the stream opened, or while it was interrupted.
      ring.abort()
    }
    const { close } = subscribe(client, { lists: [listId], onChange: () => ring.abort(), onState })
    signal.addEventListener('abort', close)
  }
  return {
    async rung(): Promise<void> {
      const withinMs = isConnected ? intervalMs.withStream : intervalMs.withoutStream
      await pause(withinMs, undefined, { signal: AbortSignal.any([signal, ring.signal]) }).catch(() => {})
      signal.throwIfAborted()
      ring = new AbortController()
    },
  }
}

/** @returns epoch milliseconds */
function readTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Error('--start-at must be a time such as 2027-01-31T12:00:00Z.')
  return time
}

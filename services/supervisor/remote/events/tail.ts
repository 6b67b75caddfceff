import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '#client/src/main.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { untilInterrupted } from '../../terminal/until-interrupted.ts'
import { followLog } from '../follow-log.ts'
import { type ProfileOptions, withProfile } from '../sessions/with-profile.ts'
import { eventLine } from './event-line.ts'

export type TailOptions = ProfileOptions & { stream?: string; type?: string; startAt?: string; json?: true }

/** How long nothing is asked after all was read. */
const intervalMs = 2_000

/**
 * `listd events tail`: prints what is added to the account's event log, from now on or from a time on, until it is interrupted.
 * JSON is an event on each line.
 * @throws CommandFailed for a call that failed, and would fail again
 */
export async function tailEventsCommand(terminal: Terminal, options: TailOptions): Promise<void> {
  const { stream, type } = options
  const startAt = options.startAt === undefined ? undefined : readTime(options.startAt)
  const show = options.json ? JSON.stringify : eventLine
  const print = (events: readonly Event[]) => terminal.stdout.write(events.map((event) => `${show(event)}\n`).join(''))
  await withProfile(terminal, options, (user) =>
    untilInterrupted(async (signal) => {
      // The first call is made at once or not at all, so that a wrong address is told.
      const newest = await user.events().first()
      const log = followLog(terminal, user.client, {
        call: 'GET /events',
        filters: { stream, type },
        newest,
        startAt,
        signal,
      })
      for await (const events of log.round()) if (startAt !== undefined) print(events)
      terminal.stderr.write('Waiting for events; ctrl-c ends it.\n')
      for (;;) {
        await pause(intervalMs, undefined, { signal })
        for await (const events of log.round()) print(events)
      }
    }),
  )
}

/** @returns epoch milliseconds */
function readTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Error('--start-at must be a time such as 2027-01-31T12:00:00Z.')
  return time
}

import { setTimeout } from 'node:timers/promises'
import { ListdError } from '#client/src/main.ts'
import { isTransient } from '#shared/domain/item-transfer/rejection.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { printable } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The shortest and the longest wait between two tries, in seconds, regardless of what the server or a proxy requests. */
const [fewestSeconds, mostSeconds] = [1, 60]

/**
 * Repeats a call until it is answered, for commands that run for hours: while a listd is down or busy it waits, and reports this once
 * on standard error. The call must be safe to send twice.
 * @param options.signal ends the wait
 * @throws ListdError that a retry would not resolve
 */
export async function patiently<T>(
  { stderr }: Pick<Terminal, 'stderr'>,
  { signal, pause = setTimeout }: { signal: AbortSignal; pause?: typeof setTimeout },
  call: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const answer = await call()
      if (failures > 0) stderr.write('The server answers again.\n')
      return answer
    } catch (error) {
      if (!(error instanceof ListdError && mayPass(error))) throw error
      const seconds = Math.min(mostSeconds, Math.max(fewestSeconds, error.retryAfterSeconds ?? 2 ** failures))
      if (failures === 0) {
        stderr.write(`${printable(error.message)} Retrying in ${counted(seconds, 'second')}; press ctrl-c to stop.\n`)
      }
      await pause(seconds * 1000, undefined, { signal })
    }
  }
}

/** A proxy answers 502 and 504 while the server behind it restarts. */
function mayPass(error: ListdError): boolean {
  return isTransient(error) || error.status === 502 || error.status === 504
}

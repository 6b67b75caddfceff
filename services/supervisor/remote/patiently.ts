import { setTimeout } from 'node:timers/promises'
import { ListdError } from '#client/src/main.ts'
import { isTransient } from '#shared/domain/item-transfer/rejection.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { printable } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The shortest and the longest wait between two tries, in seconds, whatever the server or a proxy asks for. */
const [fewestSeconds, mostSeconds] = [1, 60]

/**
 * Repeats a call until it is answered, as one that runs for hours has to: while a listd is away or busy it waits, and says so once
 * on standard error. The call is one that may be sent twice.
 * @param options.signal ends the wait
 * @throws ListdError that another try would not resolve
 */
export async function patiently<T>(
  { stderr }: Pick<Terminal, 'stderr'>,
  { signal, pause = setTimeout }: { signal: AbortSignal; pause?: typeof setTimeout },
  call: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const answer = await call()
      if (failures > 0) stderr.write('It answers again.\n')
      return answer
    } catch (error) {
      if (!(error instanceof ListdError && mayPass(error))) throw error
      const seconds = Math.min(mostSeconds, Math.max(fewestSeconds, error.retryAfterSeconds ?? 2 ** failures))
      if (failures === 0) {
        stderr.write(`${printable(error.message)} The next try is in ${counted(seconds, 'second')}; ctrl-c ends it.\n`)
      }
      await pause(seconds * 1000, undefined, { signal })
    }
  }
}

/** A proxy answers 502 and 504 while the server behind it is started again. */
function mayPass(error: ListdError): boolean {
  return isTransient(error) || error.status === 502 || error.status === 504
}

import { createHmac } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { LogFields, Logger } from '#shared/log/logger.ts'
import type { Measured } from '#shared/ops/ops.ts'

/** An attempt to sign in, or to prove the current password. */
export type LoginAttempt = {
  /** Identifies the named user or identity, existing or not. */
  key: readonly string[]
  clientAddress: string
  requestId: string
  /** Epoch milliseconds after which no gateway waits for the answer. */
  deadline: number
  /** The name as it was typed. */
  name: string
  /** The scope of the name: the account and the group of an identity. */
  within?: LogFields
}

export type LogRejectedLogin = (attempt: LoginAttempt, error: unknown) => void

/**
 * Logs and counts rejected logins. By default the typed name is not logged, because people sometimes type their passwords there; `who`
 * is the same for the same name, so that an operator can count.
 * @param options.names whether to log the typed name
 */
export function createRejectedLoginLog(
  log: Logger,
  { names, installationId }: { names: boolean; installationId: string },
): { log: LogRejectedLogin; measured: Measured } {
  let rejected = 0
  const logRejected: LogRejectedLogin = ({ key, clientAddress, requestId, name, within }, error) => {
    const event = error instanceof AppError ? eventOf(error) : null
    if (event === null) return
    rejected++
    const who = createHmac('sha256', installationId).update(JSON.stringify(key)).digest('hex').slice(0, 12)
    log(event, { requestId, clientAddress, ...within, who, ...(names && { name }) })
  }
  const help = 'Logins that were rejected: a wrong password, or a wait after too many.'
  return { log: logRejected, measured: { listd_logins_refused_total: { help, read: () => rejected } } }
}

function eventOf({ name }: AppError): 'login.failed' | 'login.locked' | null {
  if (name === 'IDENTITY_TOO_MANY_ATTEMPTS') return 'login.locked'
  return name === 'USER_NOT_AUTHENTICATED' || name === 'IDENTITY_NOT_AUTHENTICATED' ? 'login.failed' : null
}

import type { BroadcastSubject } from '#shared/bus/subjects.ts'
import type { Config } from '#shared/config/load.ts'
import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import { findNatsUrl, withInstallationBus } from './installation-bus.ts'

type At = { config: Config; db: Database }
type Revocation = Extract<BroadcastSubject, `revoked${string}`>

/**
 * Notifies the running gateways that sessions have ended, as `notifyGateways` does.
 * @returns a sentence for the operator, with the number of sessions
 */
export async function notifyOfEnded(at: At, ended: number, subject: Revocation, body: unknown): Promise<string> {
  // Also without sessions: gateways cache the identities that API tokens act for.
  const notified = await notifyGateways(at, subject, body)
  if (ended === 0) return 'There were no sessions to end.'
  return `Ended ${ended === 1 ? 'one session' : `${ended} sessions`}; ${notified}`
}

/**
 * Notifies the running gateways of changed permissions. A gateway that does not receive this notices within 5 s. Call it after the
 * change is committed: it never fails, because the change is effective without it.
 * @returns which of the two applies, as the end of a sentence for the operator
 */
export async function notifyGateways(at: At, subject: Revocation, body: unknown): Promise<string> {
  const isSent = await broadcast(at, subject, body).catch(() => false)
  return isSent ? 'running gateways have been notified.' : 'a running gateway notices within 5 seconds.'
}

/** @returns whether NATS has the message */
async function broadcast({ config, db }: At, subject: Revocation, body: unknown): Promise<boolean> {
  const url = await findNatsUrl(config, { running: await isDataDirectoryLocked(config.dataDir) })
  if (url === '') return false
  return withInstallationBus({ config, db, url, name: 'command' }, (bus) => {
    bus.broadcast(subject, body)
    return bus.flushed()
  })
}

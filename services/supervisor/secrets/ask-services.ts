import type { KeyAnswer, KeyQuestion } from '#shared/bus/messages/secrets.ts'
import type { Config } from '#shared/config/load.ts'
import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import { findNatsUrl, withInstallationBus } from '../installation-bus.ts'

/** The services that seal or open secrets. */
const services = ['gateway', 'webhook-dispatcher']
/** How long to wait for answers: if it is known which services must answer, and if it is not. */
const answerMs = { known: 20_000, unknown: 5_000 } as const

/**
 * Makes sure that every running service has a key before the key seals: each service reads its keys again when a request names an
 * unknown one. The services of a listd on this data directory must answer; elsewhere their number is unknown.
 * @throws Error with a sentence that names the services without the key
 */
export async function assertServicesKnow(keyId: string, { config, db }: InstallationOf): Promise<void> {
  const running = await isDataDirectoryLocked(config.dataDir)
  const url = await findNatsUrl(config, { running })
  if (url === '' && !running) return // nothing runs that could be queried
  if (url === '')
    throw new Error(
      'a listd is running, but its NATS server is unknown here: set LISTD_NATS_URL to the same value as there.',
    )
  const answers = await ask(keyId, { config, db, running, url })
  const without = answers.filter(({ known }) => !known).map(({ instance }) => instance)
  if (without.length > 0) {
    throw new Error(
      `${without.join(', ')} ${without.length === 1 ? 'does' : 'do'} not have the key ${keyId} yet, so nothing was changed. ` +
        'Give it to every gateway and webhook-dispatcher, restart those that read it from a variable, and run this again.',
    )
  }
  const silent = running ? services.filter((name) => !answers.some(({ service }) => service === name)) : []
  if (silent.length > 0) {
    throw new Error(
      `the running ${silent.join(' and ')} did not report whether the key ${keyId} is known there, so nothing was changed. ` +
        'Run this again; if that repeats, restart listd, which may be of an earlier version.',
    )
  }
}

type InstallationOf = { config: Config; db: Database }

function ask(
  keyId: string,
  { running, ...at }: InstallationOf & { running: boolean; url: string },
): Promise<KeyAnswer[]> {
  const isComplete = (answers: readonly KeyAnswer[]) =>
    running && services.every((name) => answers.some(({ service }) => service === name))
  const withinMs = running ? answerMs.known : answerMs.unknown
  return withInstallationBus({ ...at, name: 'secrets' }, (bus) =>
    bus.survey<KeyAnswer>('secrets.key', { keyId } satisfies KeyQuestion, { withinMs, isComplete }),
  )
}

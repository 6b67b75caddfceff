import { connectBus } from '#shared/bus/bus.ts'
import type { KeyAnswer, KeyQuestion } from '#shared/bus/messages/secrets.ts'
import type { Config } from '#shared/config/load.ts'
import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import { createLogger } from '#shared/log/logger.ts'
import { natsPrefix } from '#shared/ops/join-installation.ts'
import { poll } from '#shared/time/poll.ts'
import { natsFilesOf } from '../nats/nats-files.ts'
import { readIfExists } from '../private-file.ts'

/** The services that seal or open secrets. */
const services = ['gateway', 'webhook-dispatcher']
/** How long answers are waited for: where it is known who must answer, and where all may have answered by then. */
const answerMs = { known: 20_000, unknown: 5_000 } as const
const connectMs = 5_000

/**
 * Makes sure that every running service has a key before it seals: each reads its keys again when it is asked for one that it does
 * not know. Those of a listd that runs on the data directory must answer; elsewhere it is not known how many there are.
 * @throws Error with a sentence that names those that do not have it
 */
export async function assertServicesKnow(keyId: string, { config, db }: InstallationOf): Promise<void> {
  const running = await isDataDirectoryLocked(config.dataDir)
  const url = config.nats.url === '' && running ? await ownNatsUrl(config) : config.nats.url
  if (url === '' && !running) return // nothing runs that could be asked
  if (url === '') throw new Error('a listd is running whose NATS is not known here: set LISTD_NATS_URL as it has it.')
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
      `the running ${silent.join(' and ')} did not answer whether the key ${keyId} is known there, so nothing was changed. ` +
        'Run this again; if that repeats, restart listd, which may be of an earlier version.',
    )
  }
}

type InstallationOf = { config: Config; db: Database }

/** The address of the nats-server that a running `listd start` has started, with its credentials; empty: it has started none. */
async function ownNatsUrl({ dataDir }: Config): Promise<string> {
  return ((await readIfExists(natsFilesOf(dataDir).url)) ?? '').trim()
}

async function ask(
  keyId: string,
  { config, db, running, url }: InstallationOf & { running: boolean; url: string },
): Promise<KeyAnswer[]> {
  const log = createLogger({ service: 'supervisor', level: 'silent' })
  const prefix = await natsPrefix(config, db)
  const bus = await connectBus({ ...config.nats, url, prefix, name: 'secrets', log })
  try {
    const look = async () => bus.connected() || null
    if (!(await poll(look, { everyMs: 50, withinMs: connectMs }))) {
      throw new Error(
        'NATS cannot be reached, so the services cannot be asked whether they have the key. Run this again when it can.',
      )
    }
    const isComplete = (answers: readonly KeyAnswer[]) =>
      running && services.every((name) => answers.some(({ service }) => service === name))
    return await bus.survey<KeyAnswer>('secrets.key', { keyId } satisfies KeyQuestion, {
      withinMs: running ? answerMs.known : answerMs.unknown,
      isComplete,
    })
  } finally {
    await bus.close()
  }
}

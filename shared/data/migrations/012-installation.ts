import { newId } from '#shared/crypto/ids.ts'
import type { Transaction } from '../database.ts'
import { putIfAbsent } from '../settings/settings.ts'
import type { Moved } from './migration.ts'

/** Gives the installation of this database an id, by which its names on NATS differ from those of others. */
export async function fillInstallationId(tx: Transaction): Promise<Moved> {
  await putIfAbsent(tx, 'installationId', newId())
  return { rows: 1, after: null }
}

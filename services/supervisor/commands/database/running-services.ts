import type { Member } from '#shared/bus/messages/installation.ts'
import type { Config } from '#shared/config/load.ts'
import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import type { SchemaUpgrade } from '#shared/data/migrate.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { findMembers } from '#shared/ops/join-installation.ts'
import { findNatsUrl, withInstallationBus } from '../../installation-bus.ts'
import { isOnServer } from '../../master-key.ts'

/**
 * Describes which services run on the database, and what an upgrade of its schema does to them.
 * @param options.starting whether this is part of `listd start`, whose own services do not run yet
 * @returns a line; empty when no service runs
 */
export async function describeRunningServices(
  { config, db, upgrade }: { config: Config; db: Database; upgrade: SchemaUpgrade },
  { starting }: { starting: boolean },
): Promise<string> {
  try {
    const running = !starting && (await isDataDirectoryLocked(config.dataDir))
    const url = await findNatsUrl(config, { running })
    if (url === '' && (starting || !(running || isOnServer(config)))) return ''
    if (url === '') throw new Error('nats.url is not set')
    const members = await withInstallationBus({ config, db, url, name: 'migrate' }, (bus) =>
      findMembers(bus, { config, db }),
    )
    return describeRunning(members, upgrade)
  } catch (error) {
    const reason = describeError(error).replace(/\.$/, '')
    return `Could not determine which services run on this database (${reason}). ${fateOf(upgrade)}\n`
  }
}

/** @returns a line; empty without services */
export function describeRunning(members: readonly Member[], upgrade: SchemaUpgrade): string {
  if (members.length === 0) return ''
  const names = [...new Set(members.map(({ service, host }) => `the ${service} on ${host}`))].sort()
  return `Running on this database: ${names.join(', ')}. ${fateOf(upgrade)}\n`
}

/** What happens to running services, whose code supports schema versions from `compatibleFrom` to `version`. */
function fateOf({ version, compatibleFrom, compatibleFromThen }: SchemaUpgrade): string {
  if (compatibleFromThen <= compatibleFrom)
    return 'Running services continue to serve, during the upgrade and after it.'
  const end = 'end within seconds, and must be restarted with this version'
  if (compatibleFromThen > version) return `Running services ${end}.`
  return `Services that support schema version ${compatibleFromThen} continue to serve; older ones ${end}.`
}

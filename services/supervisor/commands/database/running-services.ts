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
 * Says which services run on the database, and what an upgrade of its schema does to them.
 * @param options.starting whether this is a part of `listd start`, whose own services do not run yet
 * @returns a line; empty when none runs
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
    return `Which services run on this database could not be found out (${reason}). ${fateOf(upgrade)}\n`
  }
}

/** @returns a line; empty without services */
export function describeRunning(members: readonly Member[], upgrade: SchemaUpgrade): string {
  if (members.length === 0) return ''
  const names = [...new Set(members.map(({ service, host }) => `the ${service} on ${host}`))].sort()
  return `On this database run ${names.join(', ')}. ${fateOf(upgrade)}\n`
}

/** What becomes of running services, whose code knows a version of the schema from `compatibleFrom` to `version`. */
function fateOf({ version, compatibleFrom, compatibleFromThen }: SchemaUpgrade): string {
  if (compatibleFromThen <= compatibleFrom) return 'Services that run serve on, during the upgrade and after it.'
  const end = 'end within seconds, and have to be started again with this version'
  if (compatibleFromThen > version) return `Services that run ${end}.`
  return `Services that know schema version ${compatibleFromThen} serve on; older ones ${end}.`
}

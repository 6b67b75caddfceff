import { ConfigError } from '#shared/config/config-error.ts'
import { configFiles } from '#shared/config/describe.ts'
import { type Config, loadConfig } from '#shared/config/load.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Check, type CheckReport, note, runCheck } from './check.ts'
import { nodeVersion, packages } from './installation.ts'

/** Runs all checks. They need the packages, and all but those of the installation need a valid configuration. */
export async function runChecks({ env }: Pick<Terminal, 'env'>): Promise<CheckReport[]> {
  const installation = [...(await runCheck(nodeVersion, null)), ...(await runCheck(packages, null))]
  let config: Config
  let files: string[]
  try {
    config = loadConfig({ env })
    files = configFiles({ env })
  } catch (error) {
    return [...installation, ...configReports(error)]
  }
  const good: CheckReport = { check: 'configuration', state: 'ok', message: '"listd config print" shows it' }
  if (installation.some(({ state }) => state === 'wrong')) return [...installation, good]
  return [...installation, good, ...(await checkEnvironment(config, files))]
}

function configReports(error: unknown): CheckReport[] {
  if (!(error instanceof ConfigError)) throw error
  return error.errors.map(({ key, value, source, rule, nearest }) => ({
    check: 'configuration',
    state: 'wrong',
    message: `${key} ${rule}; it is ${value}`,
    fix: nearest === undefined ? `change it in ${source}` : `change it in ${source}; did you mean ${nearest}?`,
  }))
}

async function checkEnvironment(config: Config, files: readonly string[]): Promise<CheckReport[]> {
  const running = await isRunning(config)
  const reports: CheckReport[] = []
  // One after the other: the database is opened by several.
  for (const check of await checks(config)) reports.push(...(await runCheck(check, { config, running, files })))
  return reports
}

/** Imported only after the packages have been checked. */
async function checks(config: Config): Promise<Check[]> {
  const { natsServer } = await import('./nats.ts')
  const { dataDirectory, diskSpace, findUnusable } = await import('./data-directory.ts')
  const { databaseVersion, firstUser } = await import('./database/database.ts')
  const { clock, databaseTls, databaseWrites } = await import('./database/database-health.ts')
  const { masterKey } = await import('./keys.ts')
  const { backupAge } = await import('./backups.ts')
  const { databaseAuthorities, egress } = await import('./egress.ts')
  const { exposure, secretFiles } = await import('./exposure.ts')
  const { freePages } = await import('./database/free-pages.ts')
  const { openFiles } = await import('./open-files.ts')
  const { ports } = await import('./ports.ts')
  const { retention } = await import('./database/retention.ts')
  const { rules } = await import('./rules.ts')
  const { conditionalRules } = await import('./conditional-rules.ts')
  const { textParts } = await import('./database/text-parts.ts')
  const { webhooks } = await import('./webhooks.ts')
  const all = [
    natsServer,
    dataDirectory,
    diskSpace,
    databaseVersion,
    freePages,
    retention,
    textParts,
    databaseWrites,
    databaseTls,
    databaseAuthorities,
    clock,
    masterKey,
    secretFiles,
    backupAge,
    firstUser,
    ports,
    openFiles,
    exposure,
    egress,
    webhooks,
    rules,
    conditionalRules,
  ]
  // Without a URL the database is in the data directory.
  if (config.database.url !== '' || (await findUnusable(config.dataDir)) === null) return all
  const inside = new Set([
    diskSpace,
    databaseVersion,
    freePages,
    retention,
    textParts,
    databaseWrites,
    clock,
    masterKey,
    backupAge,
    firstUser,
    webhooks,
    rules,
    conditionalRules,
  ])
  return all.map((check) => (inside.has(check) ? leftOut(check) : check))
}

/** A check that needs the data directory, which cannot be used: one cause is one finding. */
function leftOut({ name }: Check): Check {
  return { name, run: async () => note('not checked: the data directory cannot be used', 'see above') }
}

/** A data directory that cannot be opened is reported by its own check. */
async function isRunning({ dataDir }: Config): Promise<boolean> {
  const { isDataDirectoryLocked } = await import('#shared/data/data-directory-lock.ts')
  return isDataDirectoryLocked(dataDir).catch(() => false)
}

import { ConfigError } from '#shared/config/config-error.ts'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { type Check, type CheckReport, type CheckResult, runCheck } from '../doctor/check.ts'
import { nodeVersion, packages } from '../doctor/installation.ts'
import { aligned } from '../listing.ts'
import type { Terminal } from '../terminal.ts'

/** `listd doctor`: looks at everything that keeps listd from running well, and changes nothing. Exit code 1 for a fault. */
export async function doctorCommand(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  const reports = await examine(terminal)
  const faults = reports.filter(({ state }) => state === 'wrong').length
  terminal.stdout.write(json ? `${JSON.stringify(reports, null, 2)}\n` : report(reports, faults))
  if (faults > 0) terminal.exitCode = 1
}

/** Without packages nothing else can be looked at, without a configuration nobody knows at what. */
async function examine(terminal: Terminal): Promise<CheckReport[]> {
  const installation = [...(await runCheck(nodeVersion, null)), ...(await runCheck(packages, null))]
  let config: Config
  try {
    config = loadConfig({ env: terminal.env })
  } catch (error) {
    return [...installation, ...configFaults(error)]
  }
  const good: CheckReport = { check: 'configuration', state: 'ok', message: '"listd config print" shows it' }
  if (installation.some(({ state }) => state === 'wrong')) return [...installation, good]
  return [...installation, good, ...(await examineSurroundings(config))]
}

function configFaults(error: unknown): CheckReport[] {
  if (!(error instanceof ConfigError)) throw error
  return error.faults.map(({ key, value, source, rule, nearest }) => ({
    ...{ check: 'configuration', state: 'wrong', message: `${key} ${rule}; it is ${value}` },
    fix: nearest === undefined ? `change it in ${source}` : `change it in ${source}; did you mean ${nearest}?`,
  }))
}

async function examineSurroundings(config: Config): Promise<CheckReport[]> {
  const running = await isRunning(config)
  const reports: CheckReport[] = []
  // One after the other: the database is opened by several.
  for (const check of await checks()) reports.push(...(await runCheck(check, { config, running })))
  return reports
}

/** Loaded now that the packages are known to be there. */
async function checks(): Promise<Check[]> {
  const { natsServer } = await import('../doctor/nats.ts')
  const { dataDirectory, diskSpace } = await import('../doctor/data-directory.ts')
  const { databaseVersion, masterKey, firstUser } = await import('../doctor/database.ts')
  const { ports } = await import('../doctor/ports.ts')
  return [natsServer, dataDirectory, diskSpace, databaseVersion, masterKey, firstUser, ports]
}

/** What cannot be opened is told by the check of the data directory. */
async function isRunning({ dataDir }: Config): Promise<boolean> {
  const { isDataDirectoryLocked } = await import('#shared/data/data-directory-lock.ts')
  return isDataDirectoryLocked(dataDir).catch(() => false)
}

const marks: Record<CheckResult['state'], string> = { ok: 'ok', note: 'note', wrong: 'WRONG' }

function report(reports: readonly CheckReport[], faults: number): string {
  const lines = reports.flatMap(({ state, check, message, fix }) => [
    [marks[state], check, message],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ])
  const end =
    faults === 0 ? 'Nothing must be mended.' : `${faults === 1 ? 'One thing' : `${faults} things`} must be mended.`
  return `${aligned(lines)}\n${end}\n`
}

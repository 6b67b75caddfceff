import { readFile } from 'node:fs/promises'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { ConfigError } from '#shared/config/config-error.ts'
import { describeConfig } from '#shared/config/describe.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { readFigures } from '#shared/data/database-figures.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { onDatabase } from '../doctor/on-database.ts'
import { runChecks } from '../doctor/run-checks.ts'
import { formatJson } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { versionText } from '../version-text.ts'
import { lastLogLines } from './log-lines.ts'
import type { TarFile } from './tar.ts'

/** Files about an installation. A file that cannot be produced says why; the others are complete. */
export async function gatherParts(
  terminal: Terminal,
  { config, log }: { config: Config | null; log?: string },
): Promise<TarFile[]> {
  return [
    await part('versions.json', async () => formatJson(await versions())),
    await part('configuration.json', async () => formatJson(describeConfig({ env: terminal.env }))),
    // The version of nats-server is in one of the answers.
    await part('doctor.json', async () => formatJson(await runChecks(terminal))),
    await part('database.json', async () => formatJson(await figures(config))),
    await part('log.txt', () => lastLogLines(log)),
  ]
}

async function part(path: string, write: () => Promise<string>): Promise<TarFile> {
  try {
    return { path, text: await write() }
  } catch (error) {
    const reasons = error instanceof ConfigError ? 'the configuration has errors, which doctor.json lists' : null
    return { path, text: `Not available: ${reasons ?? describeError(error)}\n` }
  }
}

async function versions() {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return {
    listd: await versionText(),
    node: process.version,
    system: /^PRETTY_NAME="?([^"\n]*)/m.exec(system)?.[1] ?? platform(),
    kernel: `${platform()} ${release()} ${arch()}`,
    cpus: cpus().length,
    memoryMib: Math.floor(totalmem() / 1024 ** 2),
  }
}

async function figures(config: Config | null) {
  if (config === null) return 'not read: the configuration has errors, which doctor.json lists'
  return onDatabase({ config }, readDatabase, {
    none: 'there is no database yet',
    unusable: (error) => `the database cannot be used: ${describeError(error)}`,
  })
}

/** Another schema may have other tables. */
async function readDatabase(db: Database) {
  const schema = await schemaStatus(db)
  return schema.state === 'fits' ? { schema, ...(await readFigures(db)) } : { schema }
}

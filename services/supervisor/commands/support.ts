import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ConfigError } from '#shared/config/config-error.ts'
import { secretValues } from '#shared/config/describe.ts'
import { type Config, loadConfig, readValidSettings } from '#shared/config/load.ts'
import { writePrivate } from '../private-file.ts'
import { hideSecrets } from '../support/hide-secrets.ts'
import { readKeptSecrets } from '../support/kept-secrets.ts'
import { gatherParts } from '../support/parts.ts'
import { tarOf } from '../support/tar.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * `listd support`: one archive for a bug report, which only this user may read; prints its path. It contains everything that can be
 * collected, also for a listd that does not start.
 * @throws Error with a sentence when the file exists, or the file of `--log` cannot be read
 */
export async function supportCommand(terminal: Terminal, options: { output?: string; log?: string }): Promise<void> {
  const createdAt = Date.now()
  const name = `listd-support-${new Date(createdAt).toISOString().slice(0, 19).replaceAll(':', '')}Z`
  const target = resolve(options.output ?? `${name}.tar.gz`)
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name, or delete it first.`)
  const config = configOrNull(terminal)
  const { env } = terminal
  // Even of a configuration with errors: the log of a listd that does not start has its secrets too.
  const settings = readValidSettings({ env })
  const secrets = [...secretValues(settings, env), ...(await readKeptSecrets(settings.config))]
  const parts = await gatherParts(terminal, { ...options, config })
  const files = parts.map(({ path, text }) => ({ path: `${name}/${path}`, text: hideSecrets(text, secrets) }))
  await writePrivate(target, await promisify(gzip)(tarOf(files, createdAt)))
  terminal.stderr.write(
    `Wrote ${parts.map(({ path }) => path).join(', ')}. Secrets are removed; host names, client addresses and log lines ` +
      'are not, so review the archive before you share it.\n',
  )
  terminal.stdout.write(`${target}\n`)
}

/** Null when it has errors, which the doctor reports. */
function configOrNull({ env }: Terminal): Config | null {
  try {
    return loadConfig({ env })
  } catch (error) {
    if (error instanceof ConfigError) return null
    throw error
  }
}

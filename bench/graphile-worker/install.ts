import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { print } from '../support/measures/report.ts'
import packageFile from './package.json' with { type: 'json' }

const run = promisify(execFile)
const folder = import.meta.dirname

/**
 * Installs the other queue into this folder unless it is there.
 * @returns its version
 * @throws Error when npm's registry cannot be reached
 */
export async function installGraphileWorker(): Promise<string> {
  const version = packageFile.dependencies['graphile-worker']
  if ((await installedVersion()) === version) return version
  print(`  installing graphile-worker ${version} from npm into bench/graphile-worker, for this scenario only`)
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  return version
}

/** npm writes the file when it has finished. */
async function installedVersion(): Promise<string | undefined> {
  const text = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text).packages?.['node_modules/graphile-worker']?.version
}

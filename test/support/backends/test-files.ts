import { readSourceFiles, type SourceFile } from '../tidy/source-files.ts'

export type BackendName = 'sqlite' | 'postgres' | 'mysql'
export const backendNames: readonly BackendName[] = ['sqlite', 'postgres', 'mysql']

export type FilesOfRun = {
  /** Paths from the root, in order. */
  paths: string[]
  /** How many are left to other runs, and why; nothing is left out without being counted here. */
  elsewhere: { noDatabase: number; ofOtherBackends: number }
  /** Those among them that stop, wipe or look into a nats-server that listd has started itself. */
  withOwnNats: Set<string>
  /** Those that measure time, and would measure what runs beside them. */
  alone: Set<string>
}

/**
 * The files of `test/integration` and `test/e2e` that a backend runs. SQLite runs all of them, the others every one that
 * can reach a database: end to end tests, and those whose imports lead to where databases are opened. A file named
 * `….sqlite.test.ts`, `….postgres.test.ts` or `….mysql.test.ts` is for this backend only, and one named
 * `….servers.test.ts` for all but SQLite.
 */
export function filesFor(backend: BackendName): FilesOfRun {
  const sources = new Map(readSourceFiles().map((file) => [file.path, file]))
  const tests = [...sources.values()].filter(({ path }) => /^test\/(integration|e2e)\/.*\.test\.ts$/.test(path))
  const shared = tests.filter(({ path }) => isFor(backend, path))
  const ours = shared.filter(({ path }) => backend === 'sqlite' || isEndToEnd(path) || opensDatabase(path, sources))
  return {
    paths: ours.map(({ path }) => path).sort(),
    elsewhere: { noDatabase: shared.length - ours.length, ofOtherBackends: tests.length - shared.length },
    withOwnNats: new Set(ours.filter(hasOwnNats).map(({ path }) => path)),
    alone: new Set(ours.map(({ path }) => path).filter((path) => path.includes('.alone.'))),
  }
}

function isFor(backend: BackendName, path: string): boolean {
  if (path.endsWith('.servers.test.ts')) return backend !== 'sqlite'
  const only = backendNames.find((name) => path.endsWith(`.${name}.test.ts`))
  return only === undefined || only === backend
}

function isEndToEnd(path: string): boolean {
  return path.startsWith('test/e2e/')
}

const openers = new Set(['shared/data/database.ts', 'test/support/database.ts'])

/** Follows what is loaded; types are not. */
function opensDatabase(path: string, sources: ReadonlyMap<string, SourceFile>): boolean {
  const seen = new Set([path])
  for (const next of seen) {
    if (openers.has(next)) return true
    for (const { target, typeOnly } of sources.get(next)?.imports ?? []) if (target && !typeOnly) seen.add(target)
  }
  return false
}

function hasOwnNats({ lines }: SourceFile): boolean {
  return lines.some((line) => /nats-server|natsServersOf|'nats\//.test(line))
}

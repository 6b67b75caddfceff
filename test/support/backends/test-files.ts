import { readSourceFiles, type SourceFile } from '../tidy/source-files.ts'

export type BackendName = 'sqlite' | 'postgres' | 'mysql'
export const backendNames: readonly BackendName[] = ['sqlite', 'postgres', 'mysql']

export type FilesOfRun = {
  /** Paths from the root, in order. */
  paths: string[]
  /** How many are left to other runs, and why; nothing is left out without being counted here. */
  elsewhere: { sameOnSqlite: number; ofOtherBackends: number }
  /** Those among them that stop, wipe or look into a nats-server that listd has started itself. */
  withOwnNats: Set<string>
}

/** Of the tests in a browser those of every change, in one browser. `make test-browser` runs all. */
const inBrowser = ['every-page', 'sizes'].map((name) => `test/browser/${name}.test.ts`)

/** End to end tests that run on the servers too: the path of a change, and what it survives. */
const onServers = ['journey', 'gateway-killed', 'dispatcher-killed', 'flow-runs-killed'].map(
  (name) => `test/e2e/${name}.test.ts`,
)

/**
 * The files of `test/integration`, `test/e2e`, `test/openapi-client` and `test/openapi-linters`, and some of `test/browser`, that a backend
 * runs. SQLite runs all of them. The servers run what can differ there: the tests of the data layer, races (`….race.test.ts`: SQLite has one writer, so that no
 * deadlock and no missing row lock shows there), flows, and a few end to end. A file named `….sqlite.test.ts`, `….postgres.test.ts`
 * or `….mysql.test.ts` is for this backend only, and one named `….servers.test.ts` for all but SQLite.
 */
export function filesFor(backend: BackendName): FilesOfRun {
  const sources = readSourceFiles()
  const tests = sources.filter(
    ({ path }) =>
      inBrowser.includes(path) || /^test\/(integration|e2e|openapi-client|openapi-linters)\/.*\.test\.ts$/.test(path),
  )
  const shared = tests.filter(({ path }) => isFor(backend, path))
  const ours = shared.filter(({ path }) => backend === 'sqlite' || canDiffer(path))
  return {
    paths: ours.map(({ path }) => path).sort(),
    elsewhere: { sameOnSqlite: shared.length - ours.length, ofOtherBackends: tests.length - shared.length },
    withOwnNats: new Set(ours.filter(hasOwnNats).map(({ path }) => path)),
  }
}

/** What a soak runs on a backend: `….soak.test.ts`, and every test that counts its rounds by `test/support/load/soak.ts`. */
export function soakFilesFor(backend: BackendName): string[] {
  return readSourceFiles()
    .filter(({ path }) => path.endsWith('.test.ts') && isFor(backend, path))
    .filter(({ path, imports }) => path.endsWith('.soak.test.ts') || imports.some(({ target }) => target === counter))
    .map(({ path }) => path)
}

const counter = 'test/support/load/soak.ts'

function isFor(backend: BackendName, path: string): boolean {
  if (path.endsWith('.servers.test.ts')) return backend !== 'sqlite'
  const only = backendNames.find((name) => path.endsWith(`.${name}.test.ts`))
  return only === undefined || only === backend
}

function canDiffer(path: string): boolean {
  return roomsOnServers.some((room) => path.startsWith(room)) || onServers.includes(path) || serverNames.test(path)
}

/** The data layer, and flows, whose runs commit changes with proofs of what they have read. */
const roomsOnServers = ['data', 'gateway/flows', 'gateway/flow-definitions', 'gateway/flow-runs'].map(
  (room) => `test/integration/${room}/`,
)

const serverNames = /\.(race|servers|postgres|mysql)\.test\.ts$/

function hasOwnNats({ lines }: SourceFile): boolean {
  return lines.some((line) => /nats-server|natsServersOf|'nats\//.test(line))
}

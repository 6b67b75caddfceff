import { join, relative, resolve } from 'node:path'
import { readSourceFiles, type SourceFile } from '../tidy/source-files.ts'

const root = join(import.meta.dirname, '../../..')

export type BackendName = 'sqlite' | 'postgres' | 'mysql'
export const backendNames: readonly BackendName[] = ['sqlite', 'postgres', 'mysql']

/** The backends of tests: `unit` tests need no database. */
export type Lane = 'unit' | BackendName

export type FilesOfRun = {
  files: SourceFile[]
  /** How many files are left to other runs, and why; every omitted file is counted here. */
  elsewhere: { sameOnSqlite: number; ofOtherBackends: number }
}

/** The browser tests that run for every change, in one browser. `make test-browser` runs all. */
const inBrowser = ['every-page', 'sizes'].map((name) => `test/browser/${name}.test.ts`)

/** End-to-end tests that also run on the servers: the path of a change, and what it survives. */
const onServers = [
  'journey',
  'killed/gateway-killed',
  'killed/dispatcher-killed',
  'killed/flow-runs-killed',
  'killed/live-clients-killed',
].map((name) => `test/e2e/${name}.test.ts`)

/**
 * The files of `test/integration`, `test/e2e`, `test/openapi-client` and `test/openapi-linters`, and some of `test/browser`, that a backend
 * runs. SQLite runs all of them. The servers run what can differ there: the tests of the data layer, races (`….race.test.ts`: SQLite has one writer, so that no
 * deadlock and no missing row lock shows there), flows, and a few end to end. A file named `….sqlite.test.ts`, `….postgres.test.ts`
 * or `….mysql.test.ts` is for this backend only, and one named `….servers.test.ts` for all but SQLite.
 */
export function filesFor(backend: BackendName): FilesOfRun {
  const tests = testFiles().filter(
    ({ path }) =>
      inBrowser.includes(path) || /^test\/(integration|e2e|openapi-client|openapi-linters)\/.*\.test\.ts$/.test(path),
  )
  const shared = tests.filter(({ path }) => isFor(backend, path))
  const files = shared.filter(({ path }) => backend === 'sqlite' || canDiffer(path))
  return {
    files,
    elsewhere: { sameOnSqlite: shared.length - files.length, ofOtherBackends: tests.length - shared.length },
  }
}

/**
 * The test files that the given paths of files and folders match, for each lane that can run them.
 * @throws Error when a path matches none
 */
export function namedFiles(paths: readonly string[], backends: readonly BackendName[]): Map<Lane, SourceFile[]> {
  const all = testFiles()
  const named = new Set(paths.flatMap((path) => filesOf(path, all)))
  const isUnit = ({ path }: SourceFile) => /^test\/(unit\/|[^/]+$)/.test(path)
  const [unit, others] = [[...named].filter(isUnit), [...named].filter((file) => !isUnit(file))]
  const lanes = backends.map((name) => [name, others.filter(({ path }) => isFor(name, path))] as const)
  return new Map<Lane, SourceFile[]>([['unit', unit], ...lanes].filter(([, { length }]) => length > 0) as never)
}

function filesOf(path: string, all: readonly SourceFile[]): SourceFile[] {
  const asked = relative(root, resolve(path))
  const found = all.filter((file) => file.path === asked || file.path.startsWith(`${asked}/`))
  if (found.length === 0) throw new Error(`no test file is ${path}, or below it`)
  return found
}

/** All test files. */
export function testFiles(): SourceFile[] {
  return readSourceFiles().filter(({ path }) => /^test\/.*\.test\.ts$/.test(path))
}

/** Whether a test stops, wipes or inspects a nats-server that listd has started itself. */
export function hasOwnNats({ lines }: SourceFile): boolean {
  return lines.some((line) => /nats-server|natsServersOf|'nats\//.test(line))
}

/** The files of a soak on a backend: `….soak.test.ts`, and every test that counts its rounds with `test/support/load/soak.ts`. */
export function soakFilesFor(backend: BackendName): SourceFile[] {
  return testFiles()
    .filter(({ path }) => isFor(backend, path))
    .filter(({ path, imports }) => path.endsWith('.soak.test.ts') || imports.some(({ target }) => target === counter))
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

/** The data layer, and flows, whose runs commit changes with proofs of their reads. */
const roomsOnServers = ['data', 'gateway/flows'].map((room) => `test/integration/${room}/`)

const serverNames = /\.(race|servers|postgres|mysql)\.test\.ts$/

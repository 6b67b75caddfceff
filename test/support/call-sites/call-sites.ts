import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackendName } from '../backends/test-files.ts'
import { badlyOrdered } from './given-order.ts'

/** Notes for each database which places of the code sent statements to it, and which of SQLite's look up given rows. */
export type CallSites = {
  /** Arguments for ava, and settings of its environment. */
  ava: { args: readonly string[]; settings(backend: BackendName): Record<string, string> }
  /**
   * Places that sent statements to SQLite and none to a server: a line for each. The tests that servers run have to reach
   * them too, because a statement that one database takes another may refuse or read differently.
   */
  onlyOnSqlite(backend: BackendName): string[]
  /** Statements that SQLite would not begin with the given rows: a line for each. */
  badlyOrdered(): Promise<string[]>
  remove(): void
}

/** MySQL commits every change of the schema by itself: it migrates in another way. */
const ownWays = 'shared/data/migrate.ts:'

export function createCallSites(): CallSites {
  const folder = mkdtempSync(join(tmpdir(), 'listd-call-sites-'))
  const file = (backend: BackendName) => join(folder, backend)
  const sites = (backend: BackendName) => new Set(readFileSync(file(backend), 'utf8').split('\n'))
  const texts = join(folder, 'given-texts')
  const register = join(import.meta.dirname, 'register.ts')
  return {
    ava: {
      args: [`--node-arguments=--import=${register}`],
      settings: (backend) => ({ TEST_CALL_SITES: file(backend), TEST_GIVEN_TEXTS: texts }),
    },
    onlyOnSqlite(backend) {
      const reached = sites(backend)
      return [...sites('sqlite')].filter((site) => !reached.has(site) && !site.startsWith(ownWays)).sort()
    },
    badlyOrdered: () => badlyOrdered(new Set(readFileSync(texts, 'utf8').split('\n').filter(Boolean).map(asText))),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const asText = (line: string): string => JSON.parse(line)

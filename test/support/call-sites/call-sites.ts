import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackendName } from '../runner/test-files.ts'
import { badJoinOrders } from './join-order.ts'

/** Records which call sites of the product sent statements to each database, and SQLite's statements with a values table. */
export type CallSites = {
  /** Arguments for ava, and settings of its environment. */
  ava: { args: readonly string[]; settings(backend: BackendName): Record<string, string> }
  /**
   * Call sites that sent statements to SQLite and none to a server, one per line. The tests that run on servers must reach
   * them too, because a statement that one database accepts may be rejected or read differently by another.
   */
  onlyOnSqlite(backend: BackendName): string[]
  /** Statements whose join SQLite would not begin with the values table, one per line. */
  badJoinOrders(): Promise<string[]>
  remove(): void
}

/**
 * Statements with other call sites on a server, by the beginning of the line: MySQL commits every schema change automatically, and
 * cannot write a cycle of the dispatcher as one statement.
 */
const differing: Record<string, readonly string[]> = {
  postgres: ['shared/data/migrate.ts:'],
  mysql: ['shared/data/migrate.ts:', 'shared/data/dispatch/optimistic-store.ts:'],
}

export function createCallSites(): CallSites {
  const folder = mkdtempSync(join(tmpdir(), 'listd-call-sites-'))
  const file = (backend: BackendName) => join(folder, backend)
  const sites = (backend: BackendName) => new Set(readFileSync(file(backend), 'utf8').split('\n'))
  const texts = join(folder, 'values-table-texts')
  const register = join(import.meta.dirname, 'register.ts')
  return {
    ava: {
      args: [`--node-arguments=--import=${register}`],
      settings: (backend) => ({ TEST_CALL_SITES: file(backend), TEST_VALUES_TABLE_TEXTS: texts }),
    },
    onlyOnSqlite(backend) {
      const reached = sites(backend)
      const differs = (site: string) => differing[backend]?.some((start) => site.startsWith(start)) ?? false
      return [...sites('sqlite')].filter((site) => !reached.has(site) && !differs(site)).sort()
    },
    badJoinOrders: () => badJoinOrders(new Set(readFileSync(texts, 'utf8').split('\n').filter(Boolean).map(asText))),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const asText = (line: string): string => JSON.parse(line)

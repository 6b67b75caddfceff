/**
 * Something that a dependent, such as a flow, needs to continue as it does. A change that removes it or gives it another meaning is
 * not rejected: its author sees who depends on it.
 */
export type Use = {
  kind: UseKind
  /** The key (`pathNameKey`) of the list; empty: it is of no list. */
  list: string
  /** The key or the id of an index, or the id of a webhook; empty: none is named. */
  name: string
}

/** What is said of one dependent, and of several. */
type Said = readonly [one: string, several: string]

/** What can be used, and how a warning continues after the dependents. */
export const useKinds = {
  /** The list, by its path name. */
  list: ['uses the list', 'use the list'],
  /** That items of the list can be changed. */
  write: ['writes to the list', 'write to the list'],
  /** Values of items that no index guards. */
  read: ['reads items without its values', 'read items without its values'],
  /** That items are found by their alias. */
  alias: ['may find items by it', 'may find items by it'],
  /** That an index filters. */
  filter: ['filters by it', 'filter by it'],
  /** That an index that rules of tokens name, by its id, filters as it did when they were saved. */
  rule: ['has rules on it', 'have rules on it'],
  /** That indexes filter whose names only a run knows. */
  'any-filter': ['may filter by it', 'may filter by it'],
  /** That an index orders. */
  order: ['reads items in its order', 'read items in its order'],
  /** That items are found by their words. */
  search: ['searches the list', 'search the list'],
  /** That a webhook is sent what is emitted. */
  webhook: ['emits to it', 'emit to it'],
} as const satisfies Record<string, Said>

export type UseKind = keyof typeof useKinds

/** The kinds of dependents, with their nouns. */
export const dependentKinds = {
  flow: ['flow', 'flows'],
  token: ['token', 'tokens'],
} as const satisfies Record<string, Said>

/** One that uses something of its account. */
export type Dependent = { kind: keyof typeof dependentKinds; id: string; name: string }

/** By what uses are compared. */
export function useKey({ kind, list, name }: Use): string {
  return `${kind} ${list} ${name}`
}

/** Each once. */
export function distinctUses(uses: readonly Use[]): Use[] {
  return [...new Map(uses.map((use) => [useKey(use), use])).values()]
}

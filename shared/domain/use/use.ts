/**
 * Something that a dependent, such as a flow, relies on. A change that removes it or changes its meaning is not rejected; its author sees
 * the dependents.
 */
export type Use = {
  kind: UseKind
  /** The key (`pathNameKey`) of the list; empty: no list. */
  list: string
  /** The key or the id of an index, or the id of a webhook; empty: none is named. */
  name: string
}

/** The phrases for one dependent and for several. */
type Said = readonly [one: string, several: string]

/** The kinds of uses, with the phrases that follow the dependents in a warning. */
export const useKinds = {
  /** The list, by its path name. */
  list: ['uses the list', 'use the list'],
  /** Items of the list can be changed. */
  write: ['writes to the list', 'write to the list'],
  /** Values of items are not guarded. */
  read: ['reads items without its values', 'read items without its values'],
  /** Items are found by their alias. */
  alias: ['may find items by it', 'may find items by it'],
  /** An index can be filtered by. */
  filter: ['filters by it', 'filter by it'],
  /** An index that token rules name, by id, can be filtered by as when the rules were saved. */
  rule: ['has rules on it', 'have rules on it'],
  /** Indexes whose names a run computes can be filtered by. */
  'any-filter': ['may filter by it', 'may filter by it'],
  /** Items can be ordered by an index. */
  order: ['reads items in its order', 'read items in its order'],
  /** Items are found by their words. */
  search: ['searches the list', 'search the list'],
  /** A webhook is sent emitted payloads. */
  webhook: ['emits to it', 'emit to it'],
} as const satisfies Record<string, Said>

export type UseKind = keyof typeof useKinds

/** The kinds of dependents, with their nouns. */
export const dependentKinds = {
  flow: ['flow', 'flows'],
  token: ['token', 'tokens'],
} as const satisfies Record<string, Said>

/** A dependent of something in its account. */
export type Dependent = { kind: keyof typeof dependentKinds; id: string; name: string }

/** The key by which uses are compared. */
export function useKey({ kind, list, name }: Use): string {
  return `${kind} ${list} ${name}`
}

export function distinctUses(uses: readonly Use[]): Use[] {
  return [...new Map(uses.map((use) => [useKey(use), use])).values()]
}

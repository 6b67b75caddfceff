import type { Dependent, Use } from '#shared/domain/use/use.ts'
import type { FoundDependents } from '#shared/domain/use/warnings.ts'
import type { Queries } from './database.ts'
import { findDependentFlows } from './flows/flow-uses.ts'
import { findDependentTokens } from './tokens/rule-uses.ts'

/** Uses of one account, without duplicates. */
export type UsesOfAccount = { accountId: string; uses: readonly Use[] }

/** Finds the dependents of one kind on uses, within the bound of a request. */
type Finder = (db: Queries, of: UsesOfAccount) => Promise<FoundDependents>

/** The finder of each kind of dependents. */
const finders: Record<Dependent['kind'], Finder> = { flow: findDependentFlows, token: findDependentTokens }

/** The dependents of all kinds on any of these uses. At most one statement per kind, and none without uses. */
export async function findDependents(db: Queries, of: UsesOfAccount): Promise<FoundDependents> {
  if (of.uses.length === 0) return { byUse: new Map(), isCut: false }
  const found = await Promise.all(Object.values(finders).map((find) => find(db, of)))
  const byUse = new Map<string, Dependent[]>()
  for (const [key, dependents] of found.flatMap((one) => [...one.byUse]))
    byUse.set(key, [...(byUse.get(key) ?? []), ...dependents])
  return { byUse, isCut: found.some(({ isCut }) => isCut) }
}

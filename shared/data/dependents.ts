import type { Dependent, Use } from '#shared/domain/use/use.ts'
import type { FoundDependents } from '#shared/domain/use/warnings.ts'
import type { Queries } from './database.ts'
import { findDependentFlows } from './flows/flow-uses.ts'
import { findDependentTokens } from './tokens/rule-uses.ts'

/** Uses of one account, each once. */
export type UsesOfAccount = { accountId: string; uses: readonly Use[] }

/** Finds those of one kind that depend on uses, within the bound of a request. */
type Finder = (db: Queries, of: UsesOfAccount) => Promise<FoundDependents>

/** How each kind of dependents is found. */
const finders: Record<Dependent['kind'], Finder> = { flow: findDependentFlows, token: findDependentTokens }

/** Who depends on any of these uses, of every kind; one statement at most for each kind, and none without uses. */
export async function findDependents(db: Queries, of: UsesOfAccount): Promise<FoundDependents> {
  if (of.uses.length === 0) return { byUse: new Map(), isCut: false }
  const found = await Promise.all(Object.values(finders).map((find) => find(db, of)))
  const byUse = new Map<string, Dependent[]>()
  for (const [key, dependents] of found.flatMap((one) => [...one.byUse]))
    byUse.set(key, [...(byUse.get(key) ?? []), ...dependents])
  return { byUse, isCut: found.some(({ isCut }) => isCut) }
}

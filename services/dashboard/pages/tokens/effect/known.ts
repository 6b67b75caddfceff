import { account, client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { KnownList } from './effect.ts'

/** Lists and groups for rules: the first 100 of each by name, and the lists that the rules name. `gone`: named lists that do not exist. */
export type Known = { lists: readonly KnownList[]; groups: readonly string[]; gone: ReadonlySet<string> }

const most = 100
const mostLookedUp = 50

/** @param rules as they were read: of the named lists that are not among the first 100, the first 50 are looked up */
export function useKnown(rules: readonly PermissionRule[]) {
  const named = [...new Set(rules.flatMap(({ listIds = [] }) => listIds))].filter((id) => id !== '*')
  return useResource(`lists and groups for rules of ${named.join()}`, async (signal): Promise<Known> => {
    const sorted = { order: 'name', direction: 'asc', limit: most, signal } as const
    const [lists, groups] = await Promise.all([
      client.lists.all(sorted).page(1),
      account.groups.all({ order: 'name', direction: 'asc', limit: most, signal }).page(1),
    ])
    const found: KnownList[] = [...lists.data]
    const gone = new Set<string>()
    for (const id of named.filter((id) => !lists.data.some((list) => list.id === id)).slice(0, mostLookedUp)) {
      await client.lists.get(id, { signal }).then(
        (list) => found.push(list),
        (failure) => {
          if (toListdError(failure).status !== 404) throw failure
          gone.add(id)
        },
      )
    }
    return { lists: found, groups: groups.data.map(({ name }) => name), gone }
  })
}

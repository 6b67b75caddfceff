import { inList } from '#client/src/filters.ts'
import { isId } from '#shared/domain/id.ts'
import { readFoundItems, readIndexes } from './found-items.ts'

/** Longest text that is looked up as an alias. */
const longestName = 200

/** The titles of items by the given ids or aliases. Items that are not found are left out. @throws ListdError */
export async function readTitles(list: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = names.filter(isId)
  const aliases = names.filter((name) => !isId(name) && !name.includes(',') && name.length <= longestName)
  const [byId, byAlias] = await Promise.all([readByIds(list, ids), readByAliases(list, aliases)])
  return new Map([...byId, ...byAlias])
}

async function readByIds(list: string, ids: readonly string[]): Promise<[string, string][]> {
  if (ids.length === 0) return []
  const items = await readFoundItems(list, { where: { id: inList(ids) }, limit: ids.length })
  return items.map(({ id, title }) => [id, title])
}

async function readByAliases(list: string, aliases: readonly string[]): Promise<[string, string][]> {
  const pointer = aliases.length > 0 ? (await readIndexes(list)).find(({ alias }) => alias)?.pointer : undefined
  if (pointer === undefined) return []
  const items = await readFoundItems(list, { where: { alias: inList(aliases) }, limit: aliases.length, alias: pointer })
  return items.flatMap(({ alias, title }) => (alias === null ? [] : [[alias, title]]))
}

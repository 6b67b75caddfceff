import { pathNameKey } from '../path-name.ts'
import type { ListIndex } from './index-fields.ts'

const indexPrefix = 'index.'

/** The index that a filter, a condition or an order names by its path name, optionally prefixed with `index.` (contract 1.4). */
export function indexNamed(indexes: readonly ListIndex[], name: string): ListIndex | undefined {
  const key = indexKey(name)
  return indexes.find(({ pathName }) => pathName === key)
}

/** The key of the index for such a name. */
export function indexKey(name: string): string {
  return pathNameKey(name.startsWith(indexPrefix) ? name.slice(indexPrefix.length) : name)
}

/** The index names that an error may contain: not those of guard indexes and deactivated indexes. */
export function visibleNames(indexes: readonly ListIndex[]): string[] {
  const visible = indexes.filter(({ guard, activated }) => activated && !guard)
  return [...visible.map(({ pathName }) => pathName), ...visible.map(({ pathName }) => indexPrefix + pathName)]
}

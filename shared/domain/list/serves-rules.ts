import type { ListIndex } from './index-fields.ts'

/** Whether conditions of rules may use an index. */
export function servesRules({
  filtering,
  activated,
  guard,
}: Pick<ListIndex, 'filtering' | 'activated' | 'guard'>): boolean {
  return filtering && activated && !guard
}

import { DUE_NEVER } from '#shared/domain/limits.ts'

/** Rows to compare with those of another database: ids by their first appearance, and times as words. */
export function comparable(rows: unknown): unknown {
  const ids = new Map<string, string>()
  const numbered = (id: string) => ids.get(id) ?? ids.set(id, `id-${ids.size}`).get(id)
  const isTime = (value: unknown) => typeof value === 'number' && value > 1e12 && value !== DUE_NEVER
  return JSON.parse(JSON.stringify(rows), (_key, value) => {
    if (isTime(value)) return 'a time'
    return typeof value === 'string'
      ? value.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, numbered as never)
      : value
  })
}

import type { BatchOperation } from '#client/src/types/resources.ts'

/** The fields that a bulk change can set. */
export type BulkFields = { description?: string; readonly?: boolean; activated?: boolean; locked?: boolean }

/** A change of many items. */
export type BulkChange =
  | { kind: 'fields'; fields: BulkFields }
  | { kind: 'tags'; how: 'add' | 'remove' | 'replace'; tags: readonly string[] }
  | { kind: 'delete' }

export type BulkKind = BulkChange['kind']

/** The fields of an item that a change reads. */
export type BulkItem = {
  id: string
  tags: readonly string[]
  description: string
  readonly: boolean
  activated: boolean
  locked: boolean
  /** The item was not found when it was read again. Its operation is sent all the same, so that the rejection is reported. */
  isGone?: true
}

export type ItemOperation = BatchOperation<never>

/** The operation that changes an item; null: it needs no change. */
export function operationOf(change: BulkChange, item: BulkItem): ItemOperation | null {
  if (change.kind === 'delete') return { op: 'delete', item: item.id }
  const fields = change.kind === 'tags' ? { tags: tagsAfter(change, item.tags) } : change.fields
  return item.isGone || differs(fields, item) ? { op: 'update', item: item.id, ...fields } : null
}

function tagsAfter({ how, tags }: Extract<BulkChange, { kind: 'tags' }>, present: readonly string[]): string[] {
  if (how === 'replace') return [...tags]
  if (how === 'remove') return present.filter((tag) => !tags.includes(tag))
  return [...present, ...tags.filter((tag) => !present.includes(tag))]
}

function differs(fields: BulkFields & { tags?: readonly string[] }, item: BulkItem): boolean {
  return Object.entries(fields).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(item[name as keyof BulkItem]),
  )
}

/** The operation that undoes an update; null for a deletion, which is undone by restoring the item. */
export function inverseOf(operation: ItemOperation, before: BulkItem): ItemOperation | null {
  if (operation.op !== 'update') return null
  const { op, item, ...fields } = operation
  const names = Object.keys(fields) as (keyof BulkItem)[]
  return { op, item, ...Object.fromEntries(names.map((name) => [name, before[name]])) }
}

/** Reads tags from a comma-separated text: trimmed, in lower case as the server stores them, without duplicates. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().toLowerCase())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

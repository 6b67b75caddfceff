import type { Item } from '#shared/domain/item/item.ts'

/** An item with default properties. */
export function plainItem(changes: Partial<Item> = {}): Item {
  const data = changes.data ?? '{"title":"Soup"}'
  return {
    id: 'item-1',
    accountId: 'account-1',
    listId: 'list-1',
    createdAt: Date.UTC(2026, 2, 1),
    updatedAt: Date.UTC(2026, 2, 1, 10, 20, 30, 4),
    data,
    description: '',
    tags: [],
    version: '1.0.0',
    revision: 1,
    size: Buffer.byteLength(data),
    readonly: false,
    activated: true,
    locked: false,
    identity: null,
    ...changes,
  }
}

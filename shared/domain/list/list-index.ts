export type ValueType = 'string' | 'number' | 'date'
export type OrderDirection = 'asc' | 'desc'

/** An index on a list as the code holds it. Times are epoch milliseconds. */
export type ListIndex = {
  id: string
  accountId: string
  listId: string
  createdAt: number
  updatedAt: number
  name: string
  description: string
  tags: string[]
  /** Lower-case. */
  pathName: string
  scope: string | null
  /** JSON Pointer (RFC 6901) to the value in the item's data. */
  pointer: string
  valueType: ValueType
  alias: boolean
  sorting: boolean
  filtering: boolean
  searching: boolean
  guard: boolean
  defaultOrderDirection: OrderDirection
  activated: boolean
  buildStatus: 'ready' | 'building' | 'failed'
}

/** A list as the code holds it. Times are epoch milliseconds; serializers turn them into ISO 8601. */
export type List = {
  id: string
  accountId: string
  createdAt: number
  updatedAt: number
  name: string
  description: string
  tags: string[]
  pathName: string
  /** The source text of the JSON Schema that items must match, as it was sent; null: any data. */
  schema: string | null
  /** The sync scope that manages the list; null: none does. */
  scope: string | null
  pinned: boolean
  readonly: boolean
  realtime: boolean
  protected: boolean
  indexable: boolean
  generative: boolean
  generativePrompt: string | null
  activated: boolean
  itemCount: number
  /** The number of items that are not activated: tokens do not see them. */
  deactivatedCount: number
  /** Grows with every change of the list's settings, schema or indexes; a write proves which one it was validated by. */
  configVersion: number
}

/** The list in a webhook payload (specification, "List reference"). */
export type ListReference = Pick<List, 'id' | 'name' | 'pathName'>

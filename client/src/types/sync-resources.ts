import type { Index, IndexFields, List } from './resources.ts'

/** The document of a schema sync. */
export type SyncDocument = {
  $schema?: string
  scope?: string
  lists: Record<string, SyncList>
}

type SyncList = Partial<
  Pick<
    List,
    | 'name'
    | 'description'
    | 'tags'
    | 'schema'
    | 'readonly'
    | 'realtime'
    | 'protected'
    | 'indexable'
    | 'generative'
    | 'generativePrompt'
  >
> & { indexes?: Record<string, Omit<IndexFields, 'pathName' | 'activated'>> }

export type SyncChange = {
  resourceType: 'list' | 'index'
  list: string
  index?: string
  listId?: string
  indexId?: string
  action: 'create' | 'update' | 'adopt' | 'delete' | 'no-change' | 'error'
  fields?: Record<string, { from: unknown; to: unknown }>
  build?: {
    reason: 'created' | 'pointerChanged' | 'valueTypeChanged' | 'flagsChanged'
    items: number
    requiresConfirmation: boolean
    buildStatus?: Index['buildStatus']
  }
  delete?: { items?: number; indexes?: number; destructive: boolean }
  /** Stored items that do not match a new schema, some of them by id. Absent: they were not checked. */
  mismatches?: {
    failing: number
    checked: number
    complete: boolean
    items: { itemId: string; errors: { pointer: string; message: string }[] }[]
  }
  warnings?: string[]
  errors?: { name: string; code: number; message: string }[]
}

/** The report of a schema sync. A rejected one is thrown, as the `body` of its error. */
export type SyncReport = {
  syncId: string
  planHash: string
  dryRun: boolean
  applied: boolean
  prune: boolean
  scope: string | null
  summary: Record<'create' | 'update' | 'adopt' | 'delete' | 'noChange' | 'error' | 'builds' | 'destructive', number>
  changes: SyncChange[]
  blockedBy: null
}

export type SyncExport = { document: SyncDocument; warnings: string[] }

/** The report of a move of lists between scopes. A rejected one is thrown, as the `body` of its error. */
export type MoveReport = {
  moveId: string
  dryRun: boolean
  applied: boolean
  scope: string | null
  summary: Record<'move' | 'assign' | 'release' | 'noChange' | 'error', number>
  changes: (Omit<SyncChange, 'action' | 'build' | 'delete' | 'mismatches' | 'warnings'> & {
    action: 'move' | 'assign' | 'release' | 'no-change' | 'error'
  })[]
  warnings: string[]
  blockedBy: null
}

// The rules of API tokens.

export type PermissionAction =
  | '*'
  | 'create'
  | 'view'
  | 'update'
  | 'delete'
  | 'restore'
  | 'register'
  | 'authenticate'
  | 'reset-password'
  | 'verify-email'
  | 'create-with-identity'
  | 'view-with-identity'
  | 'update-with-identity'
  | 'delete-with-identity'
  | 'restore-with-identity'
  | 'sync-schema'
  | 'run'
  | 'run-with-identity'

export type PermissionRule = {
  mode: 'allow' | 'block'
  action: PermissionAction
  resourceType?: 'list' | 'item' | 'index' | 'identity' | 'event' | 'stats' | 'flow'
  listIds?: string[]
  itemIds?: string[]
  indexIds?: string[]
  identityIds?: string[]
  groups?: string[]
  flowIds?: string[]
  /** Conditions on the item, as in `where` of pages, with values of the caller such as `$identity.id`. */
  where?: Record<string, unknown>
  /** Conditions on the item after an update. */
  becomes?: Record<string, unknown>
  /** JSON Pointers into the data, and fields, that an update may change. */
  changes?: string[]
}

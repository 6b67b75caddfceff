import { validationFailed } from '../../errors.ts'
import { foldTags } from '../tags.ts'
import type { ItemBody } from './fields.ts'
import type { Item } from './item.ts'
import type { ItemText } from './new-item.ts'
import { compareVersions, nextVersion } from './version.ts'

/**
 * The next state of an item: its next version and revision, the changed fields, and this data.
 * @param next.at epoch milliseconds
 * @throws VALIDATION_FAILED for a version that is not greater
 */
export function nextItem(
  before: Item,
  { data: _parsed, ...fields }: ItemBody<'update'>,
  { data, size, at }: ItemText & { at: number },
): Item {
  return {
    ...before,
    ...fields,
    data,
    size,
    tags: fields.tags ? foldTags(fields.tags) : before.tags,
    updatedAt: at,
    version: versionAfter(before.version, fields.version),
    revision: before.revision + 1,
  }
}

/** The patch part grows by one; a change may set a greater version, never a lower one. */
function versionAfter(before: string, requested: string | undefined): string {
  if (requested === undefined) return nextVersion(before)
  if (compareVersions(requested, before) > 0) return requested
  throw validationFailed([{ path: 'version', message: `must be greater than ${before}` }])
}

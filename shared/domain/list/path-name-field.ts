import type { Field } from '../fields/field.ts'
import { lengths } from '../limits.ts'
import { pathNamePattern } from '../path-name.ts'

/** The field that addresses a list or an index in addition to its id. In a sync document it is the key of the entry. */
export const pathNameField = {
  kind: 'text',
  min: 1,
  max: lengths.pathName,
  rule: {
    pattern: pathNamePattern,
    message: `must be 1 to ${lengths.pathName} letters, digits, hyphens or underscores`,
  },
  write: ['create', 'update'],
  filter: true,
  about: 'Addresses it like its id, ignoring case; by default derived from the name.',
} as const satisfies Field

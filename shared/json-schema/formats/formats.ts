import { isHostName, isInternationalHostName } from './host-names.ts'
import { type Format, lightFormats } from './light-formats.ts'

/**
 * The formats of draft-07, and `uuid` and `duration`, all asserted. Any other name passes, as draft-07 requires:
 * people use such names to tell editors what a field is.
 */
export const schemaFormats: ReadonlyMap<string, Format> = new Map([
  ...lightFormats,
  ['hostname', isHostName],
  ['idn-hostname', isInternationalHostName],
])

// Names that look the same must be equal, so invisible characters are not allowed (contract 2.5).

/** Annotation marks and the blanks of braille, Khitan script and musical notation are not ignorable to Unicode, but not seen either. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb\u{16fe4}\u{1d159}]/u

/** Some scripts need the joiners to be written correctly, and emoji need them and the variation selectors. */
const allowedInProse = /\u200c|\u200d|[\ufe00-\ufe0f]/g

/** Whether a text has characters of no width, bidirectional marks, fillers, blanks that are neither spaces nor line separators. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text)
}

/** The same for text that is only shown: joiners and variation selectors are allowed. */
export function hasInvisibleInProse(text: string): boolean {
  return hasInvisible(text.replaceAll(allowedInProse, ''))
}

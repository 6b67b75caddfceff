// Two names that look the same must be the same name: what cannot be seen would make them two (contract 2.5).

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u

/** Some scripts need the joiners to be written correctly, and emoji need them and the variation selectors. */
const invisibleInProse = /[[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]--[\u200c\u200d\ufe00-\ufe0f]]/v

/** Whether a text has characters of no width, bidirectional marks, fillers or line separators. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text)
}

/** The same for text that is only shown: joiners and variation selectors are allowed. */
export function hasInvisibleInProse(text: string): boolean {
  return invisibleInProse.test(text)
}

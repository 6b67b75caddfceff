/**
 * Marks raw numbers, so that each copy of this package recognizes those of the others: an application has one copy in `listd-client` and
 * one in `listd-client/verify`.
 */
export const brand = Symbol.for('listd-client')

/** Whether it is a `RawNumber`. */
export function isRawNumber(value: unknown): boolean {
  return brand in Object(value)
}

/**
 * By this every copy of this package knows the raw numbers of the others: an application has one in `listd-client` and one in
 * `listd-client/verify`.
 */
export const brand = Symbol.for('listd-client')

/** Whether it is a `RawNumber`. */
export function isRawNumber(value: unknown): boolean {
  return brand in Object(value)
}

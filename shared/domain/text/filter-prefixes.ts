/**
 * The prefixes of filters (contract 1.4), by the kind of the values that they compare, and how each compares. A text without a prefix
 * is a part of the value; every other value without one is the whole value.
 */
export const filterPrefixes = {
  text: { eq: 'equals', starts: 'starts', in: 'in' },
  number: { eq: 'equals', lt: 'lt', lte: 'lte', gt: 'gt', gte: 'gte', in: 'in' },
  date: { eq: 'equals', on: 'on', lt: 'lt', lte: 'lte', gt: 'gt', gte: 'gte', before: 'lte', after: 'gte', in: 'in' },
  id: { eq: 'equals', in: 'in' },
} as const

/** A kind of values whose filters have prefixes. */
export type PrefixedKind = keyof typeof filterPrefixes
export type PrefixOf<Kind extends PrefixedKind> = keyof (typeof filterPrefixes)[Kind] & string
/** The comparisons of each of several kinds. */
export type ComparisonOf<Kind extends PrefixedKind> = Kind extends unknown
  ? (typeof filterPrefixes)[Kind][keyof (typeof filterPrefixes)[Kind]]
  : never

/** Splits off the prefix of a filter. @returns `comparison` null: it has no prefix of its kind */
export function readPrefix<Kind extends PrefixedKind>(
  kind: Kind,
  source: string,
): { comparison: ComparisonOf<Kind> | null; rest: string } {
  const prefixes: Readonly<Record<string, unknown>> = filterPrefixes[kind]
  const end = source.indexOf(':')
  const prefix = source.slice(0, Math.max(end, 0))
  if (!Object.hasOwn(prefixes, prefix)) return { comparison: null, rest: source }
  return { comparison: prefixes[prefix] as ComparisonOf<Kind>, rest: source.slice(end + 1) }
}

/** A time span of a log: its name in the address, its label, and its length in milliseconds. */
export const spans = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
  ['7d', 'Last 7 days', 604_800_000],
] as const

export type Span = (typeof spans)[number][0]

/** The spans to choose from, and "any time". */
export const spanChoices = [['', 'Any time'] as const, ...spans.map(([name, words]) => [name, words] as const)]

/** The start of a span that ends now, as an ISO time; undefined: it has no start. @param now epoch milliseconds */
export function spanStart(name: string | undefined, now: number): string | undefined {
  const span = spans.find(([one]) => one === name)
  return span && new Date(now - span[2]).toISOString()
}

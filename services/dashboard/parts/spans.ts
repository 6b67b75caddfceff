/** How far back a page of a log looks: the name in its address, what it is called, and its length in milliseconds. */
export const spans = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
  ['7d', 'Last 7 days', 604_800_000],
] as const

export type Span = (typeof spans)[number][0]

/** The spans to pick from, and all of the time. */
export const spanChoices = [['', 'Any time'] as const, ...spans.map(([name, words]) => [name, words] as const)]

/** When a span begins that ends now, as an ISO time; undefined: it has no beginning. @param now epoch milliseconds */
export function spanStart(name: string | undefined, now: number): string | undefined {
  const span = spans.find(([one]) => one === name)
  return span && new Date(now - span[2]).toISOString()
}

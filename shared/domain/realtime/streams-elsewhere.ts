/** The number of streams of accounts on a gateway; the number of an absent account is unchanged. */
export type StreamsOpen = { instance: string; counts: { accountId: string; count: number }[] }

/** Gateways report everything every 10 s. Streams that a gateway has not reported for longer no longer exist. */
const forgetMs = 30_000

/** What other gateways have reported. @param of.now a monotonic clock in milliseconds */
export function createStreamsElsewhere({ instance, now }: { instance: string; now(): number }) {
  const gateways = new Map<string, Map<string, { count: number; at: number }>>()

  function forgetGone(): void {
    const since = now() - forgetMs
    for (const [gateway, counts] of gateways) {
      for (const [accountId, { at }] of counts) if (at <= since) counts.delete(accountId)
      if (counts.size === 0) gateways.delete(gateway)
    }
  }

  return {
    count(accountId: string): number {
      const since = now() - forgetMs
      return gateways.values().reduce((sum, counts) => {
        const reported = counts.get(accountId)
        return sum + (reported && reported.at > since ? reported.count : 0)
      }, 0)
    },
    hear(message: StreamsOpen): void {
      if (message.instance === instance) return
      const counts = gateways.get(message.instance) ?? new Map<string, { count: number; at: number }>()
      gateways.set(message.instance, counts)
      for (const { accountId, count } of message.counts) counts.set(accountId, { count, at: now() })
      forgetGone()
    },
  }
}

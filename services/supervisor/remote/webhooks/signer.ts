/** The server's response about a signed delivery; `omitted`: names of headers that are sent only to the receiver itself. */
export type Signed = { id: string; headers: Record<string, string>; omitted: string[] }

/** Deliveries that one call signs (contract 2.7). */
export const signedAtOnce = 50

/** Receivers accept a signature for 5 minutes; an older signature than this is renewed. */
const freshMs = 4 * 60_000

/**
 * Signs deliveries when they are due, together with those that follow, because few calls a minute are allowed.
 * @param options.now milliseconds of a monotonic clock
 * @returns a function that is passed the ids of the remaining deliveries, in order, and returns the signature of the first
 */
export function createSigner({
  sign,
  now,
}: {
  sign: (ids: readonly string[]) => Promise<readonly Signed[]>
  now: () => number
}): (ids: readonly string[]) => Promise<Signed> {
  let signedAt = 0
  let batch: readonly Signed[] = []
  return async (ids) => {
    const find = () => batch.find(({ id }) => id === ids[0])
    const known = now() - signedAt < freshMs ? find() : undefined
    if (known) return known
    signedAt = now()
    batch = await sign(ids.slice(0, signedAtOnce))
    const signed = find()
    if (!signed) throw new Error(`the server did not sign the delivery ${ids[0]}.`)
    return signed
  }
}

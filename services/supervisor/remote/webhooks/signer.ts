/** What the server answers about a delivery that it has signed; `omitted`: names of headers that only the receiver itself is sent. */
export type Signed = { id: string; headers: Record<string, string>; omitted: string[] }

/** Deliveries that one call signs (contract 2.7). */
export const signedAtOnce = 50

/** Receivers take a signature for 5 minutes; what is older than this is signed again. */
const freshMs = 4 * 60_000

/**
 * Signs deliveries when they are due, those after them with them, because few calls a minute are allowed.
 * @param options.now milliseconds of a clock that is never set
 * @returns takes the ids of the deliveries still to come, in order, and gives the signature of the first
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
    if (!signed) throw new Error(`the server has not signed the delivery ${ids[0]}.`)
    return signed
  }
}

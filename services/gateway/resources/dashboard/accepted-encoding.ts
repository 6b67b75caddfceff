/** Encodings in which the page's files are kept, the smallest first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/**
 * The encoding that a client prefers (RFC 9110, section 12.5.3), of equally preferred ones the smallest; null: the client accepts none,
 * or prefers the plain file.
 * @param header `accept-encoding`
 */
export function acceptedEncoding(header = ''): Encoding | null {
  const weights = weightsIn(header)
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best = encodings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}

function weightsIn(header: string): ReadonlyMap<string, number> {
  const entries = header.split(',').map((entry): [string, number] => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
  })
  return new Map(entries)
}

/** Where something stands in a text: both count from 1, columns in UTF-16 units. */
export type Place = { line: number; column: number }

/**
 * What is wrong with an expression, or what went wrong while it was evaluated. `limit`: it took more than an expression may.
 * The message is a sentence without its first subject and full stop, as "there is no function \"lenght\"".
 */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  readonly kind: 'syntax' | 'value' | 'limit'
  readonly place: Place

  constructor(kind: ExpressionError['kind'], message: string, { text, at }: { text: string; at: number }) {
    super(message)
    this.kind = kind
    this.place = placeOf(text, at)
  }
}

/** The place of an offset in a text. */
export function placeOf(text: string, at: number): Place {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1 }
}

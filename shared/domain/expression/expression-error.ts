import { type Place, placeOf } from '../text/place.ts'

/**
 * What is wrong with an expression, or what went wrong while it was evaluated. `limit`: it took more than an expression may.
 * The message is a sentence without its first subject and full stop, as "there is no function \"lenght\"".
 */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  readonly kind: 'syntax' | 'value' | 'limit'
  readonly place: Place
  /** The text of the expression, or of the helpers, and the offset in it. */
  readonly source: { text: string; at: number }

  constructor(kind: ExpressionError['kind'], message: string, { text, at }: { text: string; at: number }) {
    super(message)
    this.kind = kind
    this.place = placeOf(text, at)
    this.source = { text, at }
  }
}

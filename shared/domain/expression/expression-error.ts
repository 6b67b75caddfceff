import { type Place, placeOf } from '../text/place.ts'

/**
 * An error in an expression, found by the check or by the evaluation. `limit`: the expression exceeded a bound. The message is a sentence
 * without its first subject and full stop, such as "there is no function \"lenght\"".
 */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  readonly kind: 'syntax' | 'value' | 'limit'
  readonly place: Place
  /** The text of the expression or helpers, and the offset of the error. */
  readonly source: { text: string; at: number }

  constructor(kind: ExpressionError['kind'], message: string, { text, at }: { text: string; at: number }) {
    super(message)
    this.kind = kind
    this.place = placeOf(text, at)
    this.source = { text, at }
  }
}

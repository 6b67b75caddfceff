/** A pattern that is refused; the message is what is said of it. */
export class PatternError extends Error {}

/** A pattern is rejected; the message says why. */
export class PatternError extends Error {}

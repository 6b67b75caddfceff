/** Thrown for a text that is not a JSONPath; the message says what is wrong and where, as the end of a sentence. */
export class PathError extends Error {}

/** Thrown when finding takes more steps, or finds more text, than it may; the message is the end of a sentence. */
export class PathTooCostly extends Error {}

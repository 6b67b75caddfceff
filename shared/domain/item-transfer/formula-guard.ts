// A spreadsheet that opens CSV takes a text for a formula by its first character. An apostrophe before it keeps it a text.

/** A text that is a formula, perhaps after apostrophes: guarding adds one to each, so that no two texts become one. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A text that no spreadsheet runs; `withoutGuard` gives it back. */
export function withGuard(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text that `withGuard` was given. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

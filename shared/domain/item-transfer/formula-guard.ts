// A spreadsheet that opens CSV treats a text as a formula because of its first character. An apostrophe in front of it prevents that.

/** A text that is a formula, also after apostrophes: guarding adds an apostrophe to each of these, so that different texts stay different. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A text that no spreadsheet runs; `withoutGuard` reverses this. */
export function withGuard(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The original text, before `withGuard`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

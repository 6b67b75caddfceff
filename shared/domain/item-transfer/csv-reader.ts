import {
  type BrokenRecord,
  byteOrderMark,
  type CsvRecord,
  lineBreaksIn,
  maxRecordLength,
  placeIn,
  type RecordReader,
  tooLong,
  UnreadableFile,
} from './record.ts'

/** The character between the fields of a record. */
export type Delimiter = string

/** The format of a CSV file: its delimiter, and any text before the first record. */
export type CsvDialect = { delimiter: Delimiter; preamble: string }

type CsvOptions = {
  /** Default: the character in a first line such as `sep=;`, or else the most frequent candidate outside of quotes in the first line. */
  delimiter?: Delimiter | undefined
  /** Characters of a record. */
  maxLength?: number
}

/** `dialect` is known once there is a record. */
type CsvReader = RecordReader<CsvRecord> & { dialect(): CsvDialect }

/** Reads CSV by RFC 4180; a line may also end with CR or LF alone. Empty lines are not records. */
export function createCsvReader({ delimiter, maxLength = maxRecordLength }: CsvOptions = {}): CsvReader {
  let dialect: CsvDialect | null = delimiter === undefined ? null : { delimiter, preamble: '' }
  /** Text from the start of the current record, and the length from which it is scanned again. */
  let rest = ''
  let enough = 0
  let line = 1

  function* read(isEnd: boolean): Generator<CsvRecord | BrokenRecord> {
    if (dialect === null) {
      dialect = detectDialect(rest, isEnd || rest.length > maxLength)
      if (dialect === null) {
        enough = rest.length * 1.5
        return
      }
      rest = rest.slice(dialect.preamble.length)
      line += lineBreaksIn(dialect.preamble)
    }
    const { delimiter: separator } = dialect
    let at = 0
    for (;;) {
      const found = scanRecord(rest, at, { delimiter: separator, isEnd })
      if (found === null) break
      if ('opened' in found) throw neverClosed(placeIn(rest.slice(at), found.opened - at, { line, column: 1 }))
      const text = rest.slice(at, found.end)
      if ('problem' in found)
        yield { ...placeIn(text, found.at - at, { line, column: 1 }), problem: found.problem, text }
      else if (!found.isEmpty) yield { line, fields: found.fields, text }
      line += found.lines
      at = found.end
    }
    rest = rest.slice(at)
    if (rest.length > maxLength) throw tooLong(line, maxLength)
    enough = rest.length * 1.5
  }

  return {
    *push(text) {
      rest += text
      if (rest.length >= enough) yield* read(false)
    },
    end: () => read(true),
    dialect: () => dialect ?? { delimiter: ',', preamble: '' },
  }
}

/** The format of a text, by its first record; null until the record is complete. */
function detectDialect(text: string, isComplete: boolean): CsvDialect | null {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const body = text.slice(mark.length)
  const [first = ''] = firstRecord.exec(body) ?? []
  // An LF may follow a CR, and a quote may be closed later.
  const isOpen = first.length + 1 >= body.length || body[first.length] === '"'
  if (isOpen && !isComplete) return null
  const stated = separatorLine.exec(body)
  if (stated) return { delimiter: stated[1] ?? stated[2] ?? ',', preamble: mark + stated[0] }
  return { delimiter: commonestDelimiter(first), preamble: mark }
}

/** The text up to the first line break outside of quotes. */
const firstRecord = /^(?:[^"\r\n]+|"[^"]*")*/

/** A first line that declares the delimiter, as Excel reads it. */
const separatorLine = /^(?:sep=([^"\r\n])|"sep=([^"\r\n])")(?:\r\n|\r|\n|$)/i

function commonestDelimiter(record: string): Delimiter {
  const plain = record.replaceAll(/"[^"]*"/g, '')
  const countOf = (delimiter: Delimiter) => plain.split(delimiter).length
  return delimiters.reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}

const delimiters: readonly [Delimiter, ...Delimiter[]] = [',', ';', '\t']

/** A record, or its error at `at`; `end` is the start of the next one. `opened`: the position of an unclosed quote. */
type Scan = ({ fields: string[]; isEmpty: boolean } | { problem: string; at: number }) & { end: number; lines: number }

/** Reads the record at an offset; null if it is incomplete or there is none. */
function scanRecord(
  text: string,
  begin: number,
  { delimiter, isEnd }: { delimiter: Delimiter; isEnd: boolean },
): Scan | { opened: number } | null {
  if (begin === text.length) return null
  const fields: string[] = []
  let at = begin
  let lines = 1
  for (;;) {
    const isQuoted = text[at] === '"'
    const end = isQuoted ? closingQuote(text, at, isEnd) : plainEnd(text, at, delimiter)
    if (end === null) return isEnd ? { opened: at } : null
    const field = isQuoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end)
    if (isQuoted) lines += lineBreaksIn(field)
    fields.push(field)
    at = isQuoted ? end + 1 : end
    const ending = text[at]
    if (ending === undefined ? !isEnd : ending === '\r' && at + 1 === text.length && !isEnd) return null
    if (ending === delimiter) at++
    else if (ending === undefined || ending === '\r' || ending === '\n') {
      return { fields, isEmpty: fields.length === 1 && field === '' && !isQuoted, end: lineEnd(text, at), lines }
    } else {
      const next = text.slice(at).search(/[\r\n]/)
      if (!isEnd && (next === -1 || at + next + 1 === text.length)) return null
      return {
        problem: isQuoted ? behindQuote : strayQuote,
        at,
        end: next === -1 ? text.length : lineEnd(text, at + next),
        lines,
      }
    }
  }
}

const behindQuote = 'a field continues after its closing quote; a quote within a field is written twice'
const strayQuote = 'a quote is in a field that does not begin with one; put such a field in quotes'

/** The position of the quote that closes the one at `at`; null: not in this text, or not known yet. */
function closingQuote(text: string, at: number, isEnd: boolean): number | null {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 2)) {
    if (end + 1 === text.length) return isEnd ? end : null
    if (text[end + 1] !== '"') return end
  }
  return null
}

function plainEnd(text: string, at: number, delimiter: Delimiter): number {
  const pattern = plainText(delimiter)
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** The pattern of a field without quotes. Patterns of common delimiters are precompiled. */
function plainText(delimiter: Delimiter): RegExp {
  const known = plainTexts.get(delimiter)
  if (known) return known
  const plainText = new RegExp(`[^${delimiter.replace(/[\\\]^-]/, '\\$&')}"\\r\\n]*`, 'y')
  plainTexts.set(delimiter, plainText)
  return plainText
}

const plainTexts = new Map<Delimiter, RegExp>()

/** The offset after the line break at `at`, or the end of the text. */
function lineEnd(text: string, at: number): number {
  return Math.min(at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1), text.length)
}

function neverClosed({ line, column }: { line: number; column: number }): UnreadableFile {
  return new UnreadableFile(`line ${line}, column ${column}: a quote is opened here and never closed`)
}

/** A record's text without its first field and the following delimiter; null if no delimiter follows. */
export function withoutFirstField(text: string, delimiter: Delimiter): string | null {
  const isQuoted = text.startsWith('"')
  const end = isQuoted ? closingQuote(text, 0, true) : plainEnd(text, 0, delimiter)
  if (end === null) return null
  const behind = isQuoted ? end + 1 : end
  return text[behind] === delimiter ? text.slice(behind + 1) : null
}

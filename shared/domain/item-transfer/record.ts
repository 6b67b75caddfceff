/** The records of a file, and the errors of parts that cannot be read. */

/** Lines and columns count from 1. */
export type Place = { line: number; column: number }

/** A record of a CSV file, with the number of its first line; `text` is its text in the file, including the line break. */
export type CsvRecord = { line: number; fields: readonly string[]; text: string }

/** A JSON text of a file (a line, or an element of its array) and its place. */
export type JsonRecord = Place & { text: string }

/** A record that cannot be read; later ones can. `text` is its text in the file; '': too long to keep. */
export type BrokenRecord = Place & { problem: string; text: string }

/**
 * The marker of reasons in a file of rejected rows: the name of the first column of CSV, and the beginning of the line before a row of
 * JSON. An import ignores reasons.
 */
export const errorColumn = 'import_error'
export const errorMark = `#${errorColumn} `

/**
 * Reads the text of a file in chunks of any size, and yields complete records.
 * @throws UnreadableFile
 */
export type RecordReader<R> = {
  push(text: string): Generator<R | BrokenRecord>
  /** Yields the record that only the end of the file completes. */
  end(): Generator<R | BrokenRecord>
}

/** The file cannot be read from a line on. The message names the line. */
export class UnreadableFile extends Error {}

/** Maximum characters of a record: no batch has a longer body. */
export const maxRecordLength = 8 * 1024 * 1024

export function tooLong(line: number, maxLength: number): UnreadableFile {
  return new UnreadableFile(
    `line ${line}: the record that begins here has more than ${maxLength} characters; look for a quote or bracket that is not closed`,
  )
}

/** The place of an offset of a text in its file; `from` is the place where the text begins. */
export function placeIn(text: string, offset: number, from: Place): Place {
  const before = text.slice(0, offset)
  const breaks = lineBreaksIn(before)
  if (breaks === 0) return { line: from.line, column: from.column + offset }
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  return { line: from.line + breaks, column: offset - lineStart + 1 }
}

/** CRLF is one line break, and so is each of its characters alone. */
export function lineBreaksIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}

export const byteOrderMark = '\uFEFF'

/**
 * Decodes UTF-8.
 * @param options.keepsMark keeps a byte order mark at the beginning; otherwise it is removed
 * @throws UnreadableFile for another encoding
 */
export async function* decodeUtf8(
  chunks: AsyncIterable<Uint8Array>,
  { keepsMark = false } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark })
  let line = 1
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new UnreadableFile(`after line ${line} the file is not UTF-8; save it as UTF-8`)
    }
  }
  for await (const chunk of chunks) {
    const text = decode(chunk)
    yield text
    line += text.split('\n').length - 1
  }
  yield decode()
}

export function isBroken(record: CsvRecord | JsonRecord | BrokenRecord): record is BrokenRecord {
  return 'problem' in record
}

/** What is read of a file, record by record, and why a part of it cannot be read. */

/** Lines and columns count from 1. */
export type Place = { line: number; column: number }

/** A record of a CSV file, by its first line; `text` is what the file has, with the line break after it. */
export type CsvRecord = { line: number; fields: readonly string[]; text: string }

/** A JSON text of a file, one of its lines or an element of its array, and where it begins. */
export type JsonRecord = Place & { text: string }

/** A record that cannot be read; what comes after it can. `text` is what the file has; '': it is too long to be kept. */
export type BrokenRecord = Place & { problem: string; text: string }

/**
 * What marks the reason of a row in a file of rejected rows: the name of the first column of CSV, and the beginning of the line
 * before a row of JSON. An import leaves it out.
 */
export const errorColumn = 'import_error'
export const errorMark = `#${errorColumn} `

/**
 * Takes the text of a file piece by piece, wherever it is cut, and gives the records that are complete.
 * @throws UnreadableFile
 */
export type RecordReader<R> = {
  push(text: string): Generator<R | BrokenRecord>
  /** What nothing but the end of the file has completed. */
  end(): Generator<R | BrokenRecord>
}

/** From a line on, which the message names, the file cannot be read. */
export class UnreadableFile extends Error {}

/** Characters of a record: no batch has a longer body. */
export const maxRecordLength = 8 * 1024 * 1024

export function tooLong(line: number, maxLength: number): UnreadableFile {
  return new UnreadableFile(
    `line ${line}: a record begins here that has more than ${maxLength} characters; perhaps a quote or a bracket is never closed`,
  )
}

/** Where an offset of a text is in its file; `from` is where the text begins. */
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
 * UTF-8 as text.
 * @param options.keepsMark else a byte order mark at its beginning is left out
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
      throw new UnreadableFile(`behind line ${line} the file is not UTF-8; save it in this encoding`)
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

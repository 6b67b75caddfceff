import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { parse } from '#client/src/json.ts'
import type { SyncDocument } from '#client/src/main.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { placeOf } from '#shared/domain/text/place.ts'
import { throwNaming } from '#shared/files/with-file-name.ts'
import { isObject } from '#shared/json/is-object.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'

/**
 * Reads a JSON file; a number that a double cannot hold is a `RawNumber`, which is sent as it was written.
 * @throws Error with file, line and column of a syntax error, and for any encoding but UTF-8
 */
export async function readJsonFile(file: string): Promise<unknown> {
  return parse(await readJsonText(file))
}

/** Reads a file that is JSON. @throws Error as `readJsonFile` does */
export async function readJsonText(file: string): Promise<string> {
  const text = await readTextFile(file)
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return text
  const { line, column } = placeOf(text, found.offset)
  throw new Error(`${file}:${line}:${column}: ${found.why}.`)
}

/** Reads a file without its byte order mark. @throws Error for any encoding but UTF-8 */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch(throwNaming(file))
  // Read as UTF-8, a name in another encoding would be synced with other letters.
  if (!isUtf8(bytes)) throw new Error(`${file} is not UTF-8; save it in this encoding.`)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

/** A sync document, which the server validates. @throws Error with a sentence */
export async function readDocumentFile(file: string): Promise<SyncDocument> {
  const document = await readJsonFile(file)
  if (isObject(document)) return document as SyncDocument
  throw new Error(`${file} is not a sync document: it is not an object.`)
}

import { bodyBytes } from '#shared/domain/limits.ts'
import { readSyncDocument, syncDocumentErrors } from '#shared/domain/sync/document/document.ts'
import { documentWarnings } from '#shared/domain/sync/document/document-warnings.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import { errorPath, type FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { formatJson, printable } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { errorLines } from './answer-failure.ts'
import { readJsonFile } from './document-file.ts'

/**
 * `listd schema check`: whether a document matches the format, by the server's own validation and without a server. Warns on
 * standard error about what is allowed but probably not intended. Only `listd schema plan` reports what depends on existing lists.
 */
export async function checkCommand(terminal: Terminal, file: string, { json }: { json?: true }): Promise<void> {
  const { stdout, stderr } = terminal
  const document = await readJsonFile(file)
  const errors = documentErrors(document)
  if (json) stdout.write(formatJson(errors))
  throwIfAny(file, errors)
  if (!json) stdout.write(`${file} matches the format.\n`)
  for (const { path, message } of documentWarnings(readSyncDocument(document, new Map(schemasOf(document))))) {
    stderr.write(`${printable(`warning: ${path}: ${message}`)}\n`)
  }
}

/** The parsed document of a file. @throws Error with each format error on a line */
export async function getValidDocument(file: string): Promise<unknown> {
  const document = await readJsonFile(file)
  throwIfAny(file, documentErrors(document))
  return document
}

function throwIfAny(file: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new Error(`${file} is not a valid document:${errorLines(errors)}`)
}

/** The schemas of lists by their keys. */
function schemasOf(document: unknown): [key: string, schema: string][] {
  const lists = isObject(document) && isObject(document.lists) ? document.lists : {}
  return [...schemaTexts(JSON.stringify(lists))].flatMap(([key, schema]) => (schema === null ? [] : [[key, schema]]))
}

function documentErrors(document: unknown): FieldError[] {
  return [
    ...(Buffer.byteLength(JSON.stringify(document)) > bodyBytes.syncDocument ? [tooLong] : []),
    ...syncDocumentErrors(document),
    ...schemasOf(document).flatMap(([key, schema]) => checkSchema(schema, errorPath('lists', key, 'schema'))),
  ]
}

/** The length as it is sent, without white space. */
const tooLong: FieldError = { path: '', message: `must be at most ${bodyBytes.syncDocument} bytes long` }

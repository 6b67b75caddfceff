import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import Joi from 'joi'
import type { Config } from '#shared/config/load.ts'
import { type BodyMember, type ReadJson, readJson, readJsonText } from '#shared/domain/item/data.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { ConcurrencyLimiter } from '../../admission/concurrency-limit.ts'
import { listElements } from '../../request/list-header.ts'
import type { BodyRule, BodySize, JsonBodyRule, ObjectBodyRule } from '../../request/route.ts'
import { type BodyBytes, joinBytes, readBytes, type Upload } from './body-bytes.ts'
import { bodyLimitErrors, tooManyUnknown } from './body-limits.ts'
import { commonRules, throwIfInvalid, type ValidationResult, validate } from './validation.ts'

/** A body that was parsed and validated. */
export type ParsedBody = ValidationResult & { text: Record<string, string>; bodyText: string }

export type BodyReader = {
  /**
   * The bytes; the caller releases that number from the limiter when it is done.
   * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, ClientGone
   */
  read(upload: Upload, limiter: ConcurrencyLimiter): Promise<BodyBytes> | BodyBytes
  /**
   * Parses in steps; a body of up to 64 KiB takes one step. A body with too many entries of one property is rejected before it is parsed.
   * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_FAILED; other errors of the value are returned
   */
  parse(body: BodyBytes, req: IncomingMessage): Generator<undefined, ParsedBody>
}

/** Routes without a body accept an empty object and reject properties, which would otherwise be ignored silently. */
const noBody: ObjectBodyRule = { maxBytes: bodyBytes.short, schema: Joi.object({}), optional: true }

/** Prepares reading a route's body, from bytes to a validated value. */
export function createBodyReader<Deps>(config: Config, rule: BodyRule<Deps> = noBody): BodyReader {
  const maxBytes = typeof rule.maxBytes === 'number' ? rule.maxBytes : rule.maxBytes(config)
  const optional = rule.optional === true
  const types = ['application/json', ...('types' in rule ? (rule.types ?? []) : [])]
  const parse = 'schema' in rule ? createObjectParser(rule) : createAnyParser(rule)

  return {
    read: (upload, limiter) => readBytes(upload, maxBytes, limiter),
    *parse(body, req) {
      if (body.length === 0) return absent(optional)
      assertJson(req, types)
      return yield* parse(joinBytes(body))
    },
  }
}

type Parser = (bytes: Buffer) => Generator<undefined, ParsedBody>

function createObjectParser<Deps>(rule: ObjectBodyRule<Deps>): Parser {
  const schema = rule.schema.label('body').prefs({ ...commonRules, convert: false })
  const untouched = rule.text ?? []
  const limits = { known: new Set(Object.keys(rule.schema.describe().keys ?? {})), untouched }
  const reading = { textOf: untouched, before: createCountCheck(limits.known, rule) }
  const isUnrestricted = createUnrestricted(schema, untouched)

  function validated({ value, text }: ReadJson): ParsedBody {
    if (isUnrestricted(value)) return { value, errors: [], text, bodyText: '' }
    const errors = bodyLimitErrors(value, limits)
    const result = errors.length > 0 ? { value, errors } : validate(schema, value)
    return { ...result, text, bodyText: '' }
  }

  return function* (bytes) {
    return validated(yield* readJson(bytes, reading))
  }
}

/**
 * Whether a body needs no validation, because its only property is untouched and may hold anything, as in most writes of items.
 */
function createUnrestricted(schema: Joi.ObjectSchema, untouched: readonly string[]): (body: unknown) => boolean {
  const { keys = {}, dependencies } = schema.describe()
  const isFree = (name: string) => {
    const alone = { [name]: null }
    const { value, error } = schema.validate(alone)
    return isAnything(keys[name]) && !error && isDeepStrictEqual(value, alone)
  }
  const free = dependencies ? [] : untouched.filter(isFree)
  return (body) => {
    if (!isObject(body)) return false
    const names = Object.keys(body)
    return names.length === 1 && free.includes(names[0] ?? '')
  }
}

/** Whether a property may hold anything; its description is for readers. */
function isAnything({ flags, ...rules }: Joi.Description = { type: 'none' }): boolean {
  const { description: _forReaders, ...others } = { description: '', ...flags }
  return isDeepStrictEqual({ others, ...rules }, { others: {}, type: 'any' })
}

function createAnyParser(rule: JsonBodyRule): Parser {
  const before = rule.most && createCountCheck(new Set([rule.most.of]), rule)
  return function* (bytes) {
    const { value, text } = yield* readJsonText(bytes, { before })
    return { value, errors: [], text: {}, bodyText: text }
  }
}

/** Throws the errors of a body that has too many unknown properties, or too many entries in one. */
function createCountCheck(known: ReadonlySet<string>, { most }: BodySize): (members: Iterable<BodyMember>) => void {
  return (members) => {
    throwIfInvalid(tooManyUnknown(namesOf(members), known))
    if (!most) return
    for (const { name, commas } of members) if (name === most.of && commas >= most.entries) throwIfInvalid([most.error])
  }
}

function* namesOf(members: Iterable<BodyMember>): Generator<string> {
  for (const { name } of members) yield name
}

/** Clients send `content-type` without a body on every method: an empty body is an absent one, never null. */
function absent(optional: boolean): ParsedBody {
  const errors = optional ? [] : [{ path: 'body', message: 'A JSON body is required.' }]
  return { value: undefined, errors, text: {}, bodyText: '' }
}

function assertJson({ headers }: IncomingMessage, types: readonly string[]): void {
  const type = headers['content-type'] ?? ''
  if (!types.includes(type)) assertJsonInUtf8(type, types)
  const encoding = headers['content-encoding']
  if (encoding !== undefined && listElements(encoding).some((coding) => coding.toLowerCase() !== 'identity')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without content-encoding.' })
  }
}

/** Ignores case, and all parameters except `charset`. */
function assertJsonInUtf8(header: string, types: readonly string[]): void {
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  if (!types.includes(type.trim())) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${types.join(' or ')}.` })
  }
  for (const parameter of parameters) {
    const [, charset] = /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter) ?? []
    if (charset === undefined || utf8.includes(charset)) continue
    const message = `Send the body in UTF-8; content-type declares ${charset}.`
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message })
  }
}

/** Its names, and that of a part of it. */
const utf8 = ['utf-8', 'utf8', 'us-ascii']

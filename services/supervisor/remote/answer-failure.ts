import { type ErrorName, ListdError } from '#client/src/main.ts'
import { isObject } from '#shared/json/is-object.ts'
import { CommandFailed, type ExitCode, exitCodes } from '../terminal/command-failed.ts'
import { printable } from '../terminal/listing.ts'
import { namedInRoute } from './named-in-route.ts'

/**
 * Where calls go and as whom, in the words of the advice: the name of the address, and a sentence about a rejected credential.
 * `sees`: whether the caller may view everything or only some of it.
 */
export type Caller = { address: string; credential: string; sees: 'all' | 'some' }

/** Who calls with an API token. */
const tokenCaller: Caller = {
  address: 'LISTD_URL',
  sees: 'some',
  credential:
    'LISTD_TOKEN must be an activated API token that was not rotated or deleted, has not expired, and may be used from this address.',
}

/** Runs work that calls a listd. @throws CommandFailed for a failed call: the server's sentence, and what to do about it */
export async function withExplainedErrors<T>(work: () => Promise<T>, caller: Caller = tokenCaller): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ListdError ? failureOf(error, caller) : error
  }
}

/** The failure of a call as that of the command. */
export function failureOf(error: ListdError, caller: Caller = tokenCaller): CommandFailed {
  const { name, code, status, details, requestId } = error
  const missing = notFoundMessage(error, caller)
  // A missing resource needs no request id, because the log has nothing to add.
  const request = missing === null && requestId && `(request ${requestId})`
  const what = missing ?? messageOf(error)
  const sentence = [what, lackOf(error), adviceFor(error, caller), request].filter(Boolean).join(' ')
  const facts = { name, code, status, details, requestId }
  return new CommandFailed(sentence + errorLines(details?.errors ?? []), exitCodeFor(error), { cause: error, facts })
}

/** The server's sentence without the errors, which are printed on separate lines; otherwise the client's. */
function messageOf({ body, message }: ListdError): string {
  return isObject(body) && typeof body.message === 'string' ? body.message : message
}

/** Which of the resources named in the call does not exist; null: another error, or the call names no resource. */
function notFoundMessage({ name, route = '' }: ListdError, { sees }: Caller): string | null {
  const missing = name === 'REQUESTED_ENTITY_NOT_FOUND' ? namedInRoute(route) : null
  return missing && `There is no ${printable(missing)}${sees === 'some' ? ', or the token may not view it' : ''}.`
}

const ownCodes: { readonly [Name in ErrorName]?: ExitCode } = {
  SCHEMA_SYNC_REBUILD_NOT_ALLOWED: exitCodes.rebuildNotAllowed,
  SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED: exitCodes.destructiveNotAllowed,
  SCHEMA_SYNC_PLAN_CHANGED: exitCodes.planChanged,
  INDEX_BUILD_FAILED: exitCodes.buildFailed,
}

/** The exit code for an error response of a listd. */
export function exitCodeFor({ name, status }: Pick<ListdError, 'name' | 'status'>): ExitCode {
  const own = ownCodes[name]
  if (own !== undefined) return own
  if (status === 429 || status === 413 || /^MAX_|LIMIT/.test(name)) return exitCodes.limitExceeded
  if (status === 404) return exitCodes.notFound
  return status === 401 || status === 403 ? exitCodes.notAllowed : 1
}

/** The permissions that the token lacks, if the error names them. */
function lackOf({ details }: ListdError): string {
  const missing = (details?.missing ?? []) as Permission[]
  const lacks = missing.map(({ action, resourceType }) => [action, resourceType].filter(Boolean).join(' '))
  return lacks.length > 0 ? `It lacks: ${[...new Set(lacks)].join(', ')}.` : ''
}

type FieldError = { path: string; message: string }
type Permission = { action: string; resourceType?: string }

/** Each error on a separate line. */
export function errorLines(errors: readonly FieldError[]): string {
  return errors.map(({ path, message }) => `\n  ${printable(`${path || 'the document'} ${message}`)}`).join('')
}

function adviceFor({ name, cause }: ListdError, { address, credential }: Caller): string {
  switch (name) {
    case 'CONNECTION_FAILED':
      return `Check ${address}, and whether a listd is running there${reasonOf(cause)}.`
    case 'UNEXPECTED_ANSWER':
    case 'ROUTE_NOT_FOUND':
      return `Another program or an older listd may be running at ${address}.`
    case 'USER_NOT_AUTHENTICATED':
      return credential
    case 'TIMED_OUT':
      return 'The request may have been carried out: check before you retry.'
    case 'SCHEMA_SYNC_PLAN_CHANGED':
      return 'Nothing was changed; create a new plan and read it.'
    default:
      return ''
  }
}

/** Why a connection failed, if the runtime reports it: `fetch` has it as the cause of its own error. */
function reasonOf(cause: unknown): string {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? ` (${code})` : ''
}

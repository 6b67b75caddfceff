import { type ErrorName, ListdError } from '#client/src/main.ts'
import { isObject } from '#shared/json/is-object.ts'
import { CommandFailed, type ExitCode, exitCodes } from '../terminal/command-failed.ts'
import { printable } from '../terminal/listing.ts'
import { namedInRoute } from './named-in-route.ts'

/**
 * Where calls go and as whom, as advice names it: what has the address, and a sentence about a credential that is rejected. `sees`: which
 * of the things that are there the caller may view.
 */
export type Caller = { address: string; credential: string; sees: 'all' | 'some' }

/** Who calls with an API token. */
const tokenCaller: Caller = {
  address: 'LISTD_URL',
  sees: 'some',
  credential:
    'LISTD_TOKEN has to be an API token that is activated, has not expired, been rotated or deleted, and may be used from this address.',
}

/** Runs what calls a listd. @throws CommandFailed for a call that failed: the server's sentence, and what to do about it */
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
  // What is not there needs no look into the log.
  const request = missing === null && requestId && `(request ${requestId})`
  const what = missing ?? messageOf(error)
  const sentence = [what, lackOf(error), adviceFor(error, caller), request].filter(Boolean).join(' ')
  const facts = { name, code, status, details, requestId }
  return new CommandFailed(sentence + errorLines(details?.errors ?? []), exitCodeFor(error), { cause: error, facts })
}

/** The server's sentence alone, as the errors stand on lines of their own; else the client's. */
function messageOf({ body, message }: ListdError): string {
  return isObject(body) && typeof body.message === 'string' ? body.message : message
}

/** Which of the things that the call named is not there; null: another error, or a call that names none. */
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

/** The exit code for what a listd answered. */
export function exitCodeFor({ name, status }: Pick<ListdError, 'name' | 'status'>): ExitCode {
  const own = ownCodes[name]
  if (own !== undefined) return own
  if (status === 429 || status === 413 || /^MAX_|LIMIT/.test(name)) return exitCodes.limitExceeded
  if (status === 404) return exitCodes.notFound
  return status === 401 || status === 403 ? exitCodes.notAllowed : 1
}

/** The permissions that the token lacks, where the error names them. */
function lackOf({ details }: ListdError): string {
  const missing = (details?.missing ?? []) as Permission[]
  const lacks = missing.map(({ action, resourceType }) => [action, resourceType].filter(Boolean).join(' '))
  return lacks.length > 0 ? `It lacks: ${[...new Set(lacks)].join(', ')}.` : ''
}

type FieldError = { path: string; message: string }
type Permission = { action: string; resourceType?: string }

/** Each error on a line of its own. */
export function errorLines(errors: readonly FieldError[]): string {
  return errors.map(({ path, message }) => `\n  ${printable(`${path || 'the document'} ${message}`)}`).join('')
}

function adviceFor({ name, cause }: ListdError, { address, credential }: Caller): string {
  switch (name) {
    case 'CONNECTION_FAILED':
      return `Look at ${address}, and whether a listd is running there${reasonOf(cause)}.`
    case 'UNEXPECTED_ANSWER':
    case 'ROUTE_NOT_FOUND':
      return `There may be something else at ${address}, or an older listd.`
    case 'USER_NOT_AUTHENTICATED':
      return credential
    case 'TIMED_OUT':
      return 'What was requested may have been done: look before you try again.'
    case 'SCHEMA_SYNC_PLAN_CHANGED':
      return 'Nothing was changed; create a new plan and read it.'
    default:
      return ''
  }
}

/** Why a connection failed, where the runtime says so: `fetch` has it as the cause of its own error. */
function reasonOf(cause: unknown): string {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? ` (${code})` : ''
}

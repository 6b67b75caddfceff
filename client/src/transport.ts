import { isRawNumber } from './brand.ts'
import { type Condition, changedSinceRead, type ReadItem, unchangedSinceRead } from './condition.ts'
import { type ErrorDetails, ListdError } from './error.ts'
import { randomId, stringify } from './json.ts'

/** The options of a call, in addition to its query. */
export type CallOptions = {
  /** Aborts the call, including its waits. */
  signal?: AbortSignal | undefined
  /** How long the call may take with all its retries, instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined
}

/** The options of a deletion on which others may depend. */
export type DeleteOptions = CallOptions & {
  /** Only answers with the warnings. */
  dryRun?: boolean | undefined
}

type QueryValue = string | number | boolean | Date | null | undefined | readonly string[]
export type Query = Record<string, QueryValue>

/** The details of a call: a body, and options. All options that do not control the call itself become the query. */
export type Details = {
  body?: unknown
  options?: object | undefined
  /** The item that is written: it must be as it was read, unless the options have `ifMatch`. */
  item?: ReadItem | undefined
  /** The route takes an `Idempotency-Key`: one is generated unless the options have it. */
  keyed?: boolean
  /** Converts the parsed answer to the result of the call; also receives the response and the client's JSON parser. */
  read?: (value: unknown, response: Response, parse: Settings['parse']) => unknown
}

/** The result of a call: a promise of the parsed answer, with access to its original text. */
export type Answer<T> = Promise<T> & { text(): Promise<string> }

/** @param route method and path, built by `route` where it has ids */
export type Send = <T>(route: string, details?: Details) => Answer<T>

export type Settings = {
  url: string
  headers: Record<string, string>
  fetch: typeof fetch
  timeoutMs: number
  retries: number
  /** Reads the JSON of answers and errors. */
  parse: (text: string) => unknown
}

type Request = {
  route: string
  url: URL
  init: RequestInit
  repeatable: boolean
  condition: Condition | undefined
} & CallOptions

/** A route with ids and names as path segments. @throws TypeError for a segment that would change the path */
export function route(texts: TemplateStringsArray, ...steps: string[]): string {
  for (const step of steps) {
    if (!step || step === '.' || step === '..') throw new TypeError(`"${step}" is neither an id nor a name`)
  }
  return String.raw({ raw: texts }, ...steps.map(encodeURIComponent))
}

export function createSend(settings: Settings): Send {
  return (route, details = {}) => {
    const request = buildRequest(settings, route, details)
    const received = receive(settings, request)
    const answer = received.then(({ text, response }) => {
      const value = readAnswer(text, settings)
      request.condition?.met(value)
      return details.read ? details.read(value, response, settings.parse) : value
    }) as Answer<never>
    return Object.assign(answer, {
      text: () => {
        // A caller that wants the text alone learns of a failure by it.
        answer.catch(() => {})
        return received.then(({ text }) => text)
      },
    })
  }
}

/** @throws ListdError for text that is not JSON: a page of a proxy, or of another server */
function readAnswer(text: string, { parse }: Settings): unknown {
  if (text === '') return undefined
  try {
    return parse(text)
  } catch (cause) {
    throw new ListdError({ name: 'UNEXPECTED_ANSWER', message: 'The answer is not JSON.', body: text, cause })
  }
}

function buildRequest(settings: Settings, route: string, { body, options = {}, item, keyed }: Details): Request {
  const { signal, timeoutMs, idempotencyKey, ifMatch: given, ...query } = options as Query & CallOptions
  const condition = item && given === undefined ? unchangedSinceRead(item) : undefined
  const ifMatch = condition?.ifMatch ?? given
  const [method = '', path = ''] = route.split(' ')
  const url = new URL(settings.url.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    if (!values.length) throw new TypeError(`${name} is empty: leave it out`)
    for (const one of values) if (one !== undefined && one !== null) url.searchParams.append(name, textOf(one))
  }
  const text = stringify(body)
  const headers = {
    ...settings.headers,
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...(keyed && { 'idempotency-key': String(idempotencyKey ?? randomId()) }),
    ...(ifMatch !== undefined && { 'if-match': String(ifMatch) }),
  }
  // Following a redirect would send this server's credentials elsewhere.
  const init: RequestInit = { method, headers, body: text ?? null, redirect: 'error' }
  return { route, url, init, signal, timeoutMs, repeatable: method === 'GET' || keyed === true, condition }
}

/** A value as text for a query. @throws TypeError for values such as objects, which would be sent as "[object Object]" */
export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (isRawNumber(value) || /string|number|boolean|bigint/.test(typeof Object(value).valueOf())) return `${value}`
  throw new TypeError(`${JSON.stringify(value) ?? String(value)} is not a text, number, boolean or Date`)
}

type Received = { text: string; response: Response }

/** An answer without an end, which the caller reads. */
export const streamRoute = 'GET /realtime'

/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Sends a request until it is answered for good. @throws ListdError, or the reason of the caller's signal */
async function receive(settings: Settings, request: Request): Promise<Received> {
  const { signal, timeoutMs = settings.timeoutMs, repeatable } = request
  const ending = new AbortController()
  const abort = () => ending.abort(signal?.reason)
  const timedOut = new ListdError({ name: 'TIMED_OUT', message: `No answer within ${timeoutMs} ms.` })
  const endsAt = performance.now() + timeoutMs
  const timer = setTimeout(() => ending.abort(timedOut), Math.min(timeoutMs, longestTimerMs))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    for (let retries = 0; ; retries++) {
      const outcome = await attempt(settings, request, ending.signal)
      if (!(outcome instanceof ListdError)) return outcome
      const waitMs = (outcome.retryAfterSeconds ?? (Math.random() + 1) * 0.15 * 2 ** retries) * 1000
      const mayRetry = repeatable && isTransient(outcome) && retries < settings.retries
      if (!mayRetry || performance.now() + waitMs > endsAt) throw outcome
      await pause(waitMs, ending.signal)
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

const isTransient = ({ name, status }: ListdError) =>
  ['CONNECTION_FAILED', 'INDEX_BUILDING'].includes(name) || status === 429 || status === 503

async function attempt(
  { fetch, parse }: Settings,
  { route, url, init, condition }: Request,
  signal: AbortSignal,
): Promise<Received | ListdError> {
  signal.throwIfAborted()
  try {
    const response = await fetch(url, { ...init, signal })
    const text = response.ok && route === streamRoute ? '' : await response.text()
    const failure = response.ok ? null : errorOf(response, { text, parse, route, condition })
    // A flow may respond with any status.
    return failure && !(failure.runId && failure.name === 'UNEXPECTED_ANSWER') ? failure : { text, response }
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    return new ListdError({ name: 'CONNECTION_FAILED', message: `${url.origin} cannot be reached.`, route, cause })
  }
}

function errorOf(
  { status, headers }: Response,
  { text, parse, route, condition }: { text: string } & Pick<Settings, 'parse'> & Pick<Request, 'route' | 'condition'>,
): ListdError {
  const after = headers.get('retry-after')
  const retryAfterSeconds = after && /^\d+$/.test(after) ? Number(after) : undefined
  const common = { status, retryAfterSeconds, runId: headers.get('x-flow-run') ?? undefined }
  try {
    const body = parse(text) as Fault
    const message = condition && status === 412 ? changedSinceRead : messageOf(body)
    if (typeof body.name === 'string' && (body.code || !common.runId))
      return new ListdError({ ...common, ...body, route, message, body })
  } catch {
    // A proxy's answer.
  }
  const message = `The answer ${status} is not from listd.`
  return new ListdError({ ...common, name: 'UNEXPECTED_ANSWER', route, message, body: text })
}

/** The error answer of listd; the JSON of another server may be anything. */
type Fault = ConstructorParameters<typeof ListdError>[0]

/** The message of an error, including its first detail: for an uncaught error, only the message is shown. */
function messageOf({ message, details }: { message: string; details?: ErrorDetails | undefined }): string {
  const [first, ...others] = details?.errors ?? []
  if (!first) return message
  const fault = first.message.startsWith('"') || !first.path ? first.message : `${first.path}: ${first.message}`
  return `${message} ${fault}${others.length > 0 ? `, and ${others.length} more` : ''}`
}

/** @param signal one of this call alone: its listeners go with it */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

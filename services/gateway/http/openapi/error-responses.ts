import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { AppError, type ErrorName } from '#shared/errors.ts'
import type { Route } from '../../request/route.ts'
import { arrayOf, errorFields, exampleId, objectOf, oneOf, requestId, text } from '../../schemas/response-schemas.ts'
import { isConditional, preconditionError } from '../responses/conditional.ts'
import { errorResponse as toErrorResponse } from '../responses/error-response.ts'
import type { Components } from './components.ts'
import { examples } from './examples.ts'
import { headersOfAll, retryAfter, toHeader, wwwAuthenticate } from './headers.ts'

const fieldError = objectOf(
  {
    path: { ...text, description: 'Where it is, dotted: `lists.recipes.tags.0`.' },
    pointer: { ...text, format: 'json-pointer', description: "Where it is in the item's data." },
    message: { ...text, description: 'A sentence about the value at that place.' },
    msg: { ...text, description: 'The message again.' },
  },
  { title: 'FieldError', description: 'One error of a body, a query or data.', optional: ['pointer'] },
)

/** The body of every error (contract 1.5). */
const errorSchema = objectOf(
  {
    ...errorFields,
    details: {
      ...anyObject,
      properties: { errors: { ...arrayOf(fieldError), description: 'All errors of the body, query or data.' } },
      description: 'More about the error, for programs.',
    },
    requestId,
  },
  { title: 'Error', description: 'The body of every error.', optional: ['details'] },
)

/**
 * Every error that a route may answer with: its declared errors, and those that follow from its permission, path and body.
 * ROUTE_NOT_FOUND and METHOD_NOT_ALLOWED belong to no route.
 */
function errorNamesOf(route: Route<never>): ErrorName[] {
  const { method, path, permission, errors = [] } = route
  return [
    ...new Set<ErrorName>([
      ...(method === 'GET' ? [] : bodyErrors),
      ...(permission === 'public' ? [] : credentialErrors(route)),
      ...(path.includes('{') ? (['REQUESTED_ENTITY_NOT_FOUND'] as const) : []),
      ...(isConditional(route) ? ([preconditionError(route)] as const) : []),
      ...errors,
      ...errorsOfAll,
    ]),
  ]
}

const bodyErrors = ['MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const
/** A query may have a parameter that the route does not know. */
const errorsOfAll = ['VALIDATION_FAILED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const

/** Any token may be forbidden: to act for an identity it must be allowed to `authenticate` it. */
function credentialErrors({ method, permission, identity, cookies }: Route<never>): ErrorName[] {
  return [
    'USER_NOT_AUTHENTICATED',
    ...(identity === 'ignored' ? [] : (['IDENTITY_NOT_AUTHENTICATED'] as const)),
    'TOKEN_NOT_AUTHORIZED',
    ...(permission === 'user' || permission === 'user or nobody' ? (['USER_MODE_REQUIRED'] as const) : []),
    ...(method === 'GET' || cookies === 'ignored' ? [] : (['CROSS_SITE_REQUEST'] as const)),
    'RATE_LIMIT_EXCEEDED',
  ]
}

/** The error responses of a route, by status; if it answers with any status, they are among its other answers. */
export function errorResponses(route: Route<never>, components: Components): Record<string, unknown> {
  const errors = errorNamesOf(route)
    .map((name) => new AppError(name))
    .sort((a, b) => a.code - b.code)
  if (route.otherAnswers !== undefined) {
    const other = otherResponse(route, errors)
    return { '4XX': other, default: other }
  }
  const byStatus = Map.groupBy(errors, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, referToErrors(group, components)]))
}

/** The same errors share one response across routes. */
function referToErrors(errors: readonly AppError[], components: Components): unknown {
  const key = errors.map(({ name }) => name).join('.')
  components.responses[key] ??= errorResponse(errors, components)
  return { $ref: `#/components/responses/${key}` }
}

function errorResponse(errors: readonly AppError[], { refer }: Components): unknown {
  const named = {
    type: 'object',
    properties: { name: { ...oneOf(errors.map(({ name }) => name)), description: errorFields.name.description } },
    required: ['name'],
  }
  // Generators of types ignore what is next to a reference, unless it is in `allOf`.
  const schema = { allOf: [refer(errorSchema), named] }
  return {
    description: errors.map(describe).join('\n\n'),
    headers: {
      ...headersOfAll,
      ...(errors.some(mayBeRetried) && retryAfter),
      ...(errors.some(({ status }) => status === 401) && wwwAuthenticate),
    },
    content: { 'application/json': { schema, examples: examplesOf(errors) } },
  }
}

/** Answers of any status: their description, and the possible errors. */
function otherResponse({ otherAnswers, headers }: Route<never>, errors: readonly AppError[]): unknown {
  const own = Object.entries(headers?.response ?? {}).map(([name, header]) => [
    name,
    toHeader({ ...header, optional: true }),
  ])
  return {
    description: [otherAnswers, ...errors.map(describe)].join('\n\n'),
    headers: { ...headersOfAll, ...retryAfter, ...wwwAuthenticate, ...Object.fromEntries(own) },
    content: { 'application/json': { schema: { description: otherAnswers }, examples: examplesOf(errors) } },
  }
}

function describe({ name, code, message }: AppError): string {
  return `\`${name}\` (${code}): ${message}`
}

/** The recorded examples of these errors; if there are none, the first error as it would be answered. */
function examplesOf(errors: readonly AppError[]): Record<string, unknown> {
  const recorded = errors.filter(({ name }) => name in examples.errors)
  const shown = recorded.length > 0 ? recorded : errors.slice(0, 1)
  return Object.fromEntries(
    shown.map((error) => [error.name, { value: examples.errors[error.name] ?? asAnswered(error) }]),
  )
}

function asAnswered(error: AppError): unknown {
  return JSON.parse(toErrorResponse(error, exampleId).body)
}

function mayBeRetried({ name, status }: AppError): boolean {
  return status === 429 || status === 503 || name === 'INDEX_BUILDING'
}

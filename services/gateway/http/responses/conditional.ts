import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import packageFile from '#package.json' with { type: 'json' }
import { credentialHeaders } from '../../auth/credential.ts'
import {
  type EntityTags,
  hasStrong,
  hasWeak,
  matchFailed,
  parseEntityTags,
  revisionTag,
} from '../../request/entity-tags.ts'
import type { Response } from '../../request/response.ts'
import type { Route } from '../../request/route.ts'

/** The response to a read, or the one that its conditions require. @throws ITEM_PRECONDITION_FAILED, PRECONDITION_FAILED */
type AnswerConditions = (response: Response, req: Pick<IncomingMessage, 'url' | 'headers'>) => Response

/**
 * Creates conditional reads (RFC 9110, section 13): 412 to an `if-match` that fails, 304 to an `if-none-match` of a client that has cached
 * the answer. It applies only to successful reads; the author of a flow decides what the flow answers.
 */
export function createConditional(route: ConditionalRoute & Pick<Route, 'permission' | 'etag'>): AnswerConditions {
  if (!isConditional(route)) return (response) => response
  const failure = preconditionError(route)
  const vary: Record<string, string> = route.permission === 'public' ? {} : { vary: credentialHeaders.join(', ') }

  return (response, { url = '', headers: sent }) => {
    if (response.status !== 200) return response
    const ifMatch = tagsIn(sent['if-match'])
    const ifNoneMatch = tagsIn(sent['if-none-match'])
    const isAsked = ifMatch !== null || ifNoneMatch !== null
    const etag = etagOf(response, { url, ofBody: isAsked || route.etag === true })
    if (etag === null) return response
    if (ifMatch && !hasStrong(ifMatch, (tag) => tag === etag || tag === plainTag(response)))
      throw matchFailed(failure, ifMatch)
    const { cacheControl = 'private, no-cache', headers } = response
    const kept = { ...response, cacheControl, headers: { ...vary, ...headers, etag } }
    if (!ifNoneMatch || !hasWeak(ifNoneMatch, etag)) return kept
    const { body: _body, type: _type, ...head } = kept
    return { ...head, status: 304 }
  }
}

type ConditionalRoute = Pick<Route, 'method' | 'streams' | 'otherAnswers' | 'errors'>

export function isConditional({ method, streams, otherAnswers }: ConditionalRoute): boolean {
  return method === 'GET' && !streams && otherAnswers === undefined
}

/** The error of an `if-match` that fails. */
export function preconditionError({ errors = [] }: Pick<ConditionalRoute, 'errors'>) {
  return errors.includes('ITEM_PRECONDITION_FAILED') ? 'ITEM_PRECONDITION_FAILED' : 'PRECONDITION_FAILED'
}

/** Malformed ones have been rejected. */
function tagsIn(header: string | undefined): EntityTags | null {
  return header === undefined ? null : parseEntityTags(header)
}

/** The tag of the answer to this query. @returns null if only the body decides, and the request does not need a tag */
function etagOf({ body, headers, state }: Response, { url, ofBody }: { url: string; ofBody: boolean }): string | null {
  if (state) return `"${state.revision}-${digest(`${packageFile.version}\n${queryOf(url)}\n${state.shown}`)}"`
  return headers?.etag ?? (ofBody && body !== undefined ? `"${digest(body)}"` : null)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** The tag of the shown revision, which writes return. */
function plainTag({ state }: Response): string | null {
  return state ? revisionTag(state.revision) : null
}

/** 132 bits of a hash. */
function digest(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}

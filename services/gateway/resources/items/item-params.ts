import type { Config } from '#shared/config/load.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ApiRequest } from '../../request/route.ts'
import { parseIfMatch } from './if-match.ts'

/** The size of data that the operator allows, and room for the other fields. */
export function itemBytes({ items }: Config): number {
  return items.maxBytes + bodyBytes.itemFields
}

/** What requests about an item say beside their bodies: who makes them, the item, and on which condition and how it is written. */
export function parseParams({ id, principal, params, query, headers }: ApiRequest) {
  const { list = '', item = '' } = params
  return {
    principal: principal as AuthenticatedPrincipal,
    list,
    item,
    ifMatch: parseIfMatch(headers['if-match']),
    requestId: id,
    dryRun: query.dryRun === true,
  }
}

/** The version to read, where the query names one. */
export function parseVersion({ query }: ApiRequest): string | undefined {
  return query.version as string | undefined
}

import type { Config } from '#shared/config/load.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import { parseEntityTags } from '../../request/entity-tags.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { Shown } from './reading/serialize.ts'

/** The most bytes of a body: the size of data that the operator allows, and room for the other fields. */
export function itemBytes({ items }: Config): number {
  return items.maxBytes + bodyBytes.itemFields
}

/** The parameters of a request about items outside its body: the caller, the path, the condition of a write, and whether it is a dry run. */
export function parseParams<Parameters>({
  id,
  principal,
  params,
  query,
  headers,
}: ApiRequest<AuthenticatedPrincipal, Parameters, Shown, unknown>) {
  return {
    principal,
    ...params,
    ifMatch: parseEntityTags(headers['if-match'] ?? '') ?? undefined,
    requestId: id,
    dryRun: query.dryRun === true,
  }
}

import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { openApiDocument, type TaggedRoutes } from '../../http/openapi/document.ts'
import type { DescribedRoute } from '../../request/described-route.ts'

/** The description of the API itself (contract 2.8). @param resources all routes, this one too */
export function openApiRoutes(resources: () => TaggedRoutes): readonly DescribedRoute[] {
  let json: string | null = null
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      about: 'This description of the API.',
      response: { 200: { ...anyObject, required: ['openapi', 'info', 'paths', 'components'] } },
      permission: 'public',
      async handle() {
        json ??= JSON.stringify(openApiDocument(resources()))
        return { status: 200, json }
      },
    },
  ]
}

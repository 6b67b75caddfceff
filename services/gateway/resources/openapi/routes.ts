import type { Config } from '#shared/config/load.ts'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { openApiDocument, type TaggedRoutes } from '../../http/openapi/document.ts'
import { json } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { text } from '../../schemas/response-schemas.ts'

const openApiSchema = {
  ...anyObject,
  properties: {
    openapi: { ...text, description: 'The version of OpenAPI.' },
    info: { ...anyObject, description: 'The introduction, with the version of the service.' },
    paths: { ...anyObject, description: 'The operations, by path and method.' },
    components: { ...anyObject, description: 'The parts that operations refer to.' },
  },
  required: ['openapi', 'info', 'paths', 'components'],
}

/** The dependencies of the description. */
type OpenApiDeps = { config: Pick<Config, 'gateway'> }

/** The description of the API itself (contract 2.8). @param resources all routes, this one too */
export function openApiRoutes(resources: () => TaggedRoutes): readonly Route<OpenApiDeps>[] {
  /** Built once for each public url: a process has one, tests have several gateways in one process. */
  const texts = new Map<string, string>()
  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      about: 'This description of the API.',
      notes: 'The service generates it from its table of routes.',
      response: { 200: openApiSchema },
      permission: 'public',
      async handle(_request, { config: { gateway } }) {
        const { publicUrl } = gateway
        const document = texts.get(publicUrl) ?? JSON.stringify(openApiDocument(resources(), publicUrl))
        texts.set(publicUrl, document)
        return json(document)
      },
    }),
  ]
}

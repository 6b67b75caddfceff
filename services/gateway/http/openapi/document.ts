import packageFile from '#package.json' with { type: 'json' }
import { sessionCookie } from '../../auth/credential.ts'
import type { Route } from '../../request/route.ts'
import { createComponents } from './components.ts'
import { conditionParameters, headerComponents } from './headers.ts'
import { introduction } from './introduction.ts'
import { toOperation } from './operation.ts'

/** The routes of the API by their tag in its description, with a sentence about each tag. */
export type TaggedRoutes = Readonly<Record<string, { about: string; routes: readonly Route<never>[] }>>

/**
 * The description of the API as an OpenAPI 3.1 document (contract 2.8).
 * @param publicUrl where clients reach the service
 */
export function openApiDocument(resources: TaggedRoutes, publicUrl: string): Record<string, unknown> {
  const components = createComponents()
  const { schemas, responses } = components
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, { routes }] of Object.entries(resources)) {
    for (const route of routes) {
      // OpenAPI has no parameter for the rest of a path.
      const path = route.path.replace('*}', '}')
      const operation = toOperation(route, tag, components)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  const contact = { name: 'The operator of this service', url: publicUrl }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { ...info, contact },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: Object.entries(resources).map(([name, { about }]) => ({ name, description: about })),
    paths,
    components: { schemas, responses, parameters: conditionParameters, headers: headerComponents, securitySchemes },
  }
}

const info = {
  title: packageFile.name,
  summary: packageFile.description,
  description: introduction,
  version: packageFile.version,
  license: { name: packageFile.license, identifier: packageFile.license },
}

const securitySchemes = {
  apiToken: { type: 'apiKey', in: 'header', name: 'x-api-token', description: 'An API token of the account.' },
  identityToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-identity-token',
    description: 'The session of an identity, from `POST /identities/login`.',
  },
  identityGroup: {
    type: 'apiKey',
    in: 'header',
    name: 'x-identity-group',
    description: "The identity's group, if it has one.",
  },
  session: { type: 'http', scheme: 'bearer', description: "A user's session, from `POST /auth/login`." },
  [sessionCookie]: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The same session, in a browser.',
  },
}

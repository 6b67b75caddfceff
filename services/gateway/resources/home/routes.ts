import type { Database } from '#shared/data/database.ts'
import { hasUsers } from '#shared/data/users/users.ts'
import { pageHeaders } from '../../http/html-page.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import type { Response } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { nullable, objectOf, text } from '../../schemas/response-schemas.ts'
import { homePage } from './page.ts'

type HomeDeps = { db: Database }

const pages = { setUp: homePage({ isSetUp: true }), fresh: homePage({ isSetUp: false }) }
const paths = { reference: '/openapi.json', health: '/health/ready' }

const docs = 'the folder docs of the source'

const homeSchema = objectOf({
  name: { ...text, description: 'The name of the service.' },
  setup: { ...nullable(text), description: 'The page that makes the first user, null once there is one.' },
  reference: { ...text, description: 'The path of the description of the API in OpenAPI.' },
  health: { ...text, description: 'The path that tells whether the service can serve.' },
  docs: { ...text, description: 'The place of the documentation.' },
})

/** What people find who open the address in a browser. */
export const homeRoutes: readonly Route<HomeDeps>[] = [
  route({
    method: 'GET',
    path: '/',
    operationId: 'getHome',
    about: 'The places to go to from the root of the address.',
    notes: 'A request that accepts `text/html` gets a page, any other JSON.',
    response: { 200: homeSchema },
    isPage: true,
    headers: {
      response: {
        vary: { about: 'The header that decides between page and JSON: `accept`.' },
        ...pageHeaders(pages.fresh, { optional: true }),
      },
    },
    permission: 'public',
    handle: handleHome,
  }),
]

async function handleHome({ headers }: ApiRequest, { db }: HomeDeps): Promise<Response> {
  // Without the database the page is still there, and leads to what is wrong.
  const isSetUp = await hasUsers(db).catch(() => true)
  const vary = { vary: 'accept' }
  if (headers.accept?.includes('text/html')) {
    const page = isSetUp ? pages.setUp : pages.fresh
    return { status: 200, html: page.html, headers: { ...page.headers, ...vary } }
  }
  const setup = isSetUp ? null : '/setup'
  const body = { name: 'listd', setup, ...paths, docs }
  return { status: 200, body, headers: vary }
}

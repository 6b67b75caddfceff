import type { Database } from '#shared/data/database.ts'
import { hasUsers } from '#shared/data/users/users.ts'
import { htmlType, pageHeaders } from '../../http/html-page.ts'
import { bytes, notModifiedOr, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { nullable, objectOf, text } from '../../schemas/response-schemas.ts'
import { homePage } from './page.ts'

type HomeDeps = { db: Database }

const vary = { vary: 'accept' }

const pages = { setUp: pageResponse({ isSetUp: true }), fresh: pageResponse({ isSetUp: false }) }
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
    response: { 200: homeSchema, 304: null },
    isPage: true,
    headers: {
      response: {
        vary: { about: 'The header that decides between page and JSON: `accept`.' },
        etag: { about: 'Names the content of the page, for `if-none-match`.', optional: true },
        ...pageHeaders(homePage({ isSetUp: true }), { optional: true }),
      },
    },
    permission: 'public',
    async handle({ headers }, { db }) {
      // Without the database the page is still there, and leads to what is wrong.
      const isSetUp = await hasUsers(db).catch(() => true)
      if (headers.accept?.includes('text/html')) {
        return notModifiedOr(isSetUp ? pages.setUp : pages.fresh, headers['if-none-match'])
      }
      const setup = isSetUp ? null : '/setup'
      return ok({ name: 'listd', setup, ...paths, docs }, vary)
    },
  }),
]

/** Browsers keep the page, and ask each time whether it is still the same: an upgrade changes it, and the first user does. */
function pageResponse(options: { isSetUp: boolean }) {
  const { html, etag, headers } = homePage(options)
  return bytes(html, { type: htmlType, headers: { ...headers, ...vary, etag }, cacheControl: 'no-cache' })
}

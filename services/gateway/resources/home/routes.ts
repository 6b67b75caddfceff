import type { Database } from '#shared/data/database.ts'
import { hasUsers } from '#shared/data/users/users.ts'
import { htmlType, pageHeaders } from '../../http/responses/html-page.ts'
import { bytes, ok, redirect } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { nullable, objectOf, text } from '../../schemas/response-schemas.ts'
import { homePage } from './page.ts'

/** `dashboard`: its files; null when it is switched off. */
type HomeDeps = { db: Database; dashboard: { current(): Promise<object | null> } | null }

const vary = { vary: 'accept' }

const pages = { setUp: pageResponse({ isSetUp: true }), fresh: pageResponse({ isSetUp: false }) }
const paths = { reference: '/openapi.json', health: '/health/ready' }

const dashboardPath = '/dashboard/'
const docs = 'the folder docs of the source'

const homeSchema = objectOf({
  name: { ...text, description: 'The name of the service.' },
  setup: { ...nullable(text), description: 'The page that creates the first user, null once there is one.' },
  dashboard: { ...nullable(text), description: 'The path of the dashboard, null where it is switched off.' },
  reference: { ...text, description: 'The path of the description of the API in OpenAPI.' },
  health: { ...text, description: 'The path that reports whether the service can serve requests.' },
  docs: { ...text, description: 'Where the documentation is.' },
})

/** The page for a person who opens the address in a browser. */
export const homeRoutes: readonly Route<HomeDeps>[] = [
  route({
    method: 'GET',
    path: '/',
    operationId: 'getHome',
    about: 'The main addresses of the service.',
    notes: 'A request that accepts `text/html` gets a page or is redirected to the dashboard; any other gets JSON.',
    response: { 200: homeSchema, 303: null },
    isPage: true,
    headers: {
      response: {
        vary: { about: 'The header that decides between page and JSON: `accept`.' },
        etag: { about: 'Identifies the content of the page, for `if-none-match`.', optional: true },
        location: { about: 'The dashboard.', optional: true },
        ...pageHeaders(homePage({ isSetUp: true }), { optional: true }),
      },
    },
    permission: 'public',
    async handle({ headers }, { db, dashboard: files }) {
      // The page works without the database, and links to the failing check.
      const isSetUp = await hasUsers(db).catch(() => true)
      if (headers.accept?.includes('text/html')) {
        if (isSetUp && (await isBuilt(files))) return redirect(dashboardPath, vary)
        return isSetUp ? pages.setUp : pages.fresh
      }
      const setup = isSetUp ? null : '/setup'
      return ok({ name: 'listd', setup, dashboard: files && dashboardPath, ...paths, docs }, vary)
    },
  }),
]

/** False also if the files cannot be read: the dashboard's own path reports that error. */
async function isBuilt(files: HomeDeps['dashboard']): Promise<boolean> {
  const page = await files?.current().catch(() => null)
  return Boolean(page)
}

/** Browsers cache the page and revalidate it each time: an upgrade changes it, and so does the first user. */
function pageResponse(options: { isSetUp: boolean }) {
  const { html, etag, headers } = homePage(options)
  return bytes(html, { type: htmlType, headers: { ...headers, ...vary, etag }, cacheControl: 'no-cache' })
}

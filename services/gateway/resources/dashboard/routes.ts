import { AppError } from '#shared/errors.ts'
import { isolation } from '../../http/responses/html-page.ts'
import { bytes, type Response, redirect } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { acceptedEncoding } from './accepted-encoding.ts'
import type { BuiltPage, DashboardFiles, PageFile } from './files.ts'

/** `dashboard`: null when it is switched off. */
type DashboardDeps = { dashboard: DashboardFiles | null }

const page = { 200: { type: 'string' } } as const

/** The page reads the query itself: its state is in the address. */
const anyQuery = { name: 'view', description: 'What the page shows.', example: { status: 'failed' } }

/** The dashboard: files for browsers, so not part of the API's description. */
export const dashboardRoutes: readonly Route<DashboardDeps>[] = [
  route({
    method: 'GET',
    path: '/dashboard',
    operationId: 'getDashboard',
    about: 'Leads to the dashboard.',
    response: { 303: null },
    permission: 'public',
    otherParameters: anyQuery,
    async handle(_request, deps) {
      await getPage(deps)
      return { ...redirect('/dashboard/'), sameOrigin: true }
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/{path*}',
    operationId: 'getDashboardPage',
    about: 'The page, which shows what its address says.',
    response: page,
    permission: 'public',
    otherParameters: anyQuery,
    async handle({ headers }, deps) {
      return revalidated(fileOf(await getPage(deps), 'index.html'), headers)
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/assets/{file*}',
    operationId: 'getDashboardFile',
    about: 'A script, a style or a picture of the page.',
    response: page,
    permission: 'public',
    otherParameters: anyQuery,
    async handle({ params: { file = '' }, headers }, deps) {
      const found = fileOf(await getPage(deps), `assets/${file}`)
      if (!hasHash.test(file)) return revalidated(found, headers)
      return encoded(found, headers, { cacheControl: 'public, max-age=31536000, immutable' })
    },
  }),
]

/** The name of a file changes with its content. */
const hasHash = /-[A-Z0-9]{8}\.\w+$/

/** @throws ROUTE_NOT_FOUND if the dashboard is switched off; SERVICE_UNAVAILABLE if it is not built */
async function getPage({ dashboard }: DashboardDeps): Promise<BuiltPage> {
  if (!dashboard) throw new AppError('ROUTE_NOT_FOUND', { message: 'The dashboard is switched off.' })
  const page = await dashboard.current()
  if (page) return page
  const message = 'The dashboard is not built: run scripts/setup dashboard, and load this page again.'
  throw new AppError('SERVICE_UNAVAILABLE', { message, reason: 'the dashboard is not built' })
}

/** @throws ROUTE_NOT_FOUND */
function fileOf(page: BuiltPage, path: string): PageFile {
  const file = page.get(path)
  if (!file) throw new AppError('ROUTE_NOT_FOUND', { message: `The dashboard has no file ${path}.` })
  return file
}

type RequestHeaders = Readonly<Record<string, string | undefined>>

/** A response that browsers cache, but revalidate each time. */
function revalidated(file: PageFile, headers: RequestHeaders): Response {
  return encoded(file, headers, { cacheControl: 'no-cache' })
}

function encoded(file: PageFile, headers: RequestHeaders, { cacheControl }: { cacheControl: string }) {
  const accepted = acceptedEncoding(headers['accept-encoding'])
  const body = accepted ? file.encoded.get(accepted) : undefined
  const encoding: Record<string, string> = accepted && body ? { 'content-encoding': accepted } : {}
  const etag = `"${file.tag}${body ? `-${accepted}` : ''}"`
  const own = { ...policy, vary: 'accept-encoding', etag, ...encoding }
  return { ...bytes(body ?? file.plain, { type: file.type, headers: own, cacheControl }), sameOrigin: true as const }
}

/** What a browser allows the page: its own files, and calls to this origin. */
const policy = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  ...isolation,
  'cross-origin-resource-policy': 'same-origin',
}

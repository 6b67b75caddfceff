import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { buildDashboard } from '../../../support/http/built-dashboard.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const script = 'assets/main-AB12CD34.js'
const built = { 'index.html': '<p>The page</p>', [script]: 'run()', 'assets/mark.svg': '<svg/>' }
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const browser = { accept: 'text/html,*/*;q=0.8' }

/** A gateway with a built dashboard, and the folder of the dashboard. */
async function start(t: ExecutionContext, texts: Record<string, string> | null = built, env = {}) {
  const folder = join(await testFolder(t), 'dashboard')
  if (texts) await buildDashboard(folder, texts)
  return { folder, ...(await startGateway(t, { routes, dashboardFolder: folder, env })) }
}

test('every address of the dashboard is the page, which a browser keeps and revalidates', async (t) => {
  const { port } = await start(t)
  for (const path of ['', 'lists', 'lists/recipes?status=failed&where=%7B', 'lists/a/items/..%2Fb%2500', 'x.js']) {
    const { status, text, headers } = await call(port, { path: `/dashboard/${path}` })
    t.deepEqual([status, text], [200, built['index.html']], path)
    t.like(headers, {
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'content-type': 'text/html; charset=utf-8',
    })
    t.like(headers, { 'content-security-policy': policy, 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
    t.like(headers, { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' })
    t.like(headers, { 'x-content-type-options': 'nosniff', 'access-control-allow-origin': undefined })
    const kept = await call(port, { path: `/dashboard/${path}`, headers: { 'if-none-match': headers.etag } })
    t.like([kept.status, kept.text, kept.headers.etag], [304, '', headers.etag])
    t.like(kept.headers, { 'cache-control': 'no-cache', 'content-security-policy': policy })
  }
  const { status, headers } = await call(port, { path: '/dashboard' })
  t.deepEqual([status, headers.location], [303, '/dashboard/'])
  t.is(headers['access-control-allow-origin'], undefined)
})

test('a file with a hash in its name is cached permanently, any other is revalidated', async (t) => {
  const { port } = await start(t)
  const asset = await call(port, { path: `/dashboard/${script}` })
  t.deepEqual([asset.status, asset.text], [200, built[script]])
  t.like(asset.headers, { 'cache-control': 'public, max-age=31536000, immutable', 'content-security-policy': policy })
  t.is(asset.headers['access-control-allow-origin'], undefined)
  const mark = await call(port, { path: '/dashboard/assets/mark.svg' })
  t.like(mark.headers, { 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' })
  t.is((await call(port, { path: '/dashboard/assets/mark.svg', headers: { 'if-none-match': '*' } })).status, 304)
  const head = await call(port, { method: 'HEAD', path: `/dashboard/${script}` })
  t.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '5'])
  t.is((await call(port, { method: 'POST', path: `/dashboard/${script}` })).json?.name, 'METHOD_NOT_ALLOWED')
})

test('files outside the build are not served, wherever they are on the disk', async (t) => {
  const { port } = await start(t)
  const paths = ['no.js', '', 'main-AB12CD34.js.br', '..%2fmanifest.json', '..%2f..%2f..%2fpackage.json', '%00']
  for (const path of [...paths, '..%5cmanifest.json', '%2e%2e/assets/no.js', 'sub/mark.svg', '__proto__']) {
    const { status, json } = await call(port, { path: `/dashboard/assets/${path}` })
    t.deepEqual([status, json?.name], [404, 'ROUTE_NOT_FOUND'], path)
  }
})

test('each client gets an encoding that it accepts, with a separate etag', async (t) => {
  const { port } = await start(t)
  const get = async (accepted?: string) => {
    const { body, headers } = await bytesAt(port, `/dashboard/${script}`, accepted)
    t.is(Number(headers['content-length']), body.length)
    return { body, encoding: headers['content-encoding'], etag: headers.etag, vary: headers.vary }
  }
  const [br, gzip, plain] = [await get('gzip, deflate, br'), await get('gzip'), await get()]
  t.deepEqual([br.encoding, gzip.encoding, plain.encoding], ['br', 'gzip', undefined])
  const decoded = [brotliDecompressSync(br.body), gunzipSync(gzip.body), plain.body]
  t.deepEqual(decoded.map(String), [built[script], built[script], built[script]])
  t.is(new Set([br.etag, gzip.etag, plain.etag]).size, 3)
  t.deepEqual([br.vary, gzip.vary, plain.vary], ['accept-encoding', 'accept-encoding', 'accept-encoding'])
})

test('a new build is served as soon as it exists, and the previous one while it is replaced', async (t) => {
  const { port, folder } = await start(t)
  const page = async () => (await call(port, { path: '/dashboard/' })).text
  t.is(await page(), built['index.html'])
  await buildDashboard(folder, { 'index.html': '<p>Another</p>' })
  t.is(await page(), '<p>Another</p>')
  await rm(folder, { recursive: true })
  t.is(await page(), '<p>Another</p>')
})

test('if it is not built, its addresses say what to run, and the API works', async (t) => {
  const { port, folder, deps } = await start(t, null)
  const { user } = await makeAccount(deps.db)
  for (const path of ['/dashboard', '/dashboard/lists', `/dashboard/${script}`]) {
    const { status, json } = await call(port, { path })
    t.deepEqual([status, json?.name], [503, 'SERVICE_UNAVAILABLE'], path)
    t.regex(String(json?.message), /^The dashboard is not built: run scripts\/setup dashboard/)
  }
  t.is((await call(port, { path: '/auth/self', headers: user })).status, 200)
  t.is((await call(port, { path: '/', headers: browser })).status, 200)
  await buildDashboard(folder, built)
  t.is((await call(port, { path: '/dashboard/' })).text, built['index.html'])
})

test('the root redirects browsers to the dashboard once there is a user, and to the set-up before', async (t) => {
  const { port, deps } = await start(t)
  const home = (headers = {}) => call(port, { path: '/', headers })
  t.regex((await home(browser)).text, /href="\/setup"/)
  await makeAccount(deps.db)
  const { status, headers } = await home(browser)
  t.deepEqual([status, headers.location, headers.vary], [303, '/dashboard/', 'accept'])
  t.like((await home()).json, { name: 'listd', setup: null, dashboard: '/dashboard/' })
})

test('it can be disabled', async (t) => {
  const { port, deps } = await start(t, built, { LISTD_GATEWAY_DASHBOARD: 'false' })
  await makeAccount(deps.db)
  for (const path of ['/dashboard', '/dashboard/lists', `/dashboard/${script}`])
    t.is((await call(port, { path })).json?.name, 'ROUTE_NOT_FOUND', path)
  t.is((await call(port, { path: '/', headers: browser })).status, 200)
  t.is((await call(port, { path: '/' })).json?.dashboard, null)
})

async function bytesAt(port: number, path: string, accepted?: string) {
  const sent = request({ port, host: '127.0.0.1', path, headers: accepted ? { 'accept-encoding': accepted } : {} })
  sent.end()
  const [response] = await once(sent, 'response')
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { body: Buffer.concat(parts), headers: response.headers as IncomingHttpHeaders }
}

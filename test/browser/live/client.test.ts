import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { build } from 'esbuild'
import { createClient } from '#client/src/client.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { clientRecipe } from '../../support/guides/client-readme.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { sharedSettings, startGateway } from '../../support/http/gateway.ts'
import type { Teardown } from '../../support/test-context/teardown.ts'

const root = join(import.meta.dirname, '../../..')
const browser = sharedBrowser()

/** Code that uses the recipe of README in a page: it shows titles and state as text. */
const apps = {
  React: `
    import { render } from 'preact'
    const recipes = createClient({ url: location.hash.slice(1).split('%20')[0], token: location.hash.split('%20')[1] }).list('recipes')
    const options = { where: { serves: gte(2) }, order: 'serves' }
    function Page() {
      const now = useLive(recipes, options)
      return (now?.items.map(({ data }) => data.title).join() ?? 'none') + ' ' + (now?.state ?? '')
    }
    render(<Page />, document.querySelector('main'))`,
  Svelte: `
    const recipes = createClient({ url: location.hash.slice(1).split('%20')[0], token: location.hash.split('%20')[1] }).list('recipes')
    const store = liveStore(recipes, { where: { serves: gte(2) }, order: 'serves' })
    store.subscribe((now) => {
      document.querySelector('main').textContent = (now?.items.map(({ data }) => data.title).join() ?? 'none') + ' ' + (now?.state ?? '')
    })`,
}

/** A page that runs the recipe. @returns its address */
async function servePage(t: Teardown, framework: keyof typeof apps): Promise<string> {
  const contents = `import { createClient, gte } from 'listd-client'\n${await clientRecipe(framework)}\n${apps[framework]}`
  const { outputFiles } = await build({
    stdin: { contents, loader: 'tsx', resolveDir: join(root, 'services/dashboard') },
    absWorkingDir: join(root, 'services/dashboard'),
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: {
      react: 'preact/hooks',
      'listd-client/realtime': join(root, 'client/src/realtime.ts'),
      'listd-client': join(root, 'client/src/main.ts'),
    },
  })
  const page = `<!doctype html><main></main><script>${outputFiles[0]?.text.replaceAll('</', '<\\/')}</script>`
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const recipeOf = (serves: number, title: string) => ({ data: { serves, title } })
const serves = {
  name: 'Serves',
  pathName: 'serves',
  pointer: '/serves',
  valueType: 'number',
  filtering: true,
  sorting: true,
} as const

for (const framework of ['React', 'Svelte'] as const) {
  test(`the recipe for ${framework} keeps a page up to date, even if the gateway is replaced`, async (t) => {
    const gateway = await startGateway(t, { routes })
    const { token } = await makeAccount(gateway.deps.db)
    const { 'x-api-token': value } = await token([{ mode: 'allow', action: '*' }])
    const connect = (port: number) => createClient({ url: `http://127.0.0.1:${port}`, token: value })
    const client = connect(gateway.port)
    await client.lists.create({ name: 'Recipes', pathName: 'recipes', realtime: true })
    await client.list('recipes').indexes.create(serves)
    await client.list('recipes').create(recipeOf(4, 'Soup'))
    const page = await (await browser().newContext()).newPage()
    t.teardown(() => page.context().close())
    const url = await servePage(t, framework)
    await page.goto(`${url}#http://127.0.0.1:${gateway.port} ${value}`)
    const shows = (text: string) =>
      page.waitForFunction((one) => document.querySelector('main')?.textContent === one, text)
    await shows('Soup connected')
    await client.list('recipes').create(recipeOf(2, 'Tea'))
    await shows('Tea,Soup connected')
    await gateway.server.close()
    await shows('Tea,Soup behind')
    const env = { ...sharedSettings(gateway.deps.config), LISTD_GATEWAY_PORT: String(gateway.port) }
    const second = await startGateway(t, { routes, env, instance: 'second' })
    await connect(second.port).list('recipes').create(recipeOf(3, 'Pie'))
    await shows('Tea,Pie,Soup connected')
    t.pass()
  })
}

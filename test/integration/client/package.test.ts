import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { build } from 'esbuild'
import clientPackage from '#client/package.json' with { type: 'json' }
import { clientReadme, clientRecipe } from '../../support/guides/client-readme.ts'
import { getNode } from '../../support/processes/find-node.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const archive = `listd-client-${clientPackage.version}.tgz`
let project: string

test.before(async () => {
  project = await mkdtemp(join(tmpdir(), 'listd-client-'))
  await run('npm', ['pack', '--pack-destination', project], { cwd: join(root, 'client') })
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: project })
})
test.after.always(() => rm(project, { recursive: true, force: true }))

/** A program that uses every entry point of the package with its own server. */
const program = `
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient, gte, ListdError, RawNumber, stringify } from 'listd-client'
import { manage } from 'listd-client/manage'
import { subscribe } from 'listd-client/realtime'
import { verifyWebhook } from 'listd-client/verify'

const server = createServer(async (request, response) => {
  const chunks = await request.toArray()
  if (request.url.startsWith('/realtime')) response.end('event: ready\\ndata: {"lists":["l-1"]}\\n\\nid: 1-e\\nevent: item-created\\ndata: {"eventId":"e","listId":"l-1","n":1e400}\\n\\n')
  else if (request.url === '/auth/self') response.writeHead(401).end('{"name":"USER_NOT_AUTHENTICATED","code":11002,"message":"No."}')
  else if (request.method === 'POST') response.end(Buffer.concat(chunks))
  else response.end('{"limit":100,"next":null,"data":[{"id":"i-1"}]}')
})
server.listen(0)
await once(server, 'listening')
const client = createClient({ url: 'http://127.0.0.1:' + server.address().port, token: 'secret' })
const notes = client.list('notes')
const { data } = await notes.create({ data: { n: new RawNumber('9007199254740993') } })
const copied = await notes.create({ data: { ...data, title: 'Soup' } }).text()
const found = []
for await (const item of notes.items({ where: { n: gte(1) } })) found.push(item.id)
const error = await manage(client).auth.get().catch((error) => error)
const timestamp = Math.floor(Date.now() / 1000)
const body = '{"id":"e-1","data":1e400}'
const v1 = createHmac('sha256', 'whsec_x').update(timestamp + '.' + body).digest('hex')
const headers = { 'x-service-signature': 't=' + timestamp + ',v1=' + v1 }
const event = await verifyWebhook({ secret: 'whsec_x', headers, body: Buffer.from(body) })
console.log(String(data.n), found, error instanceof ListdError, error.name, event.id)
console.log(copied, event.data instanceof RawNumber, await notes.create({ data: event.data }).text())
let printed
try { printed = JSON.stringify(data) } catch (error) { printed = error.message }
console.log(printed, stringify(data))
const { close, change } = await new Promise((resolve) => {
  const { close } = subscribe(client, { lists: ['notes'], onChange: (change) => resolve({ close, change }) })
})
close()
console.log(change.type, change.n instanceof RawNumber)
server.close()
server.closeAllConnections()
`

/** The output of the runtime's own `JSON.stringify` for a number that a double cannot represent: the number, or an error. */
const printed = {
  20: 'JSON.stringify cannot write 9007199254740993 in this runtime. Use "stringify" of listd-client.',
  24: '{"n":9007199254740993}',
}

for (const major of [20, 24] as const) {
  test(`the published package works on Node.js ${major}`, async (t) => {
    const file = join(project, `use-${major}.js`)
    await writeFile(file, program)
    const { stdout } = await run(await getNode(major), [file])
    t.deepEqual(stdout.trimEnd().split('\n'), [
      "9007199254740993 [ 'i-1' ] true USER_NOT_AUTHENTICATED e-1",
      '{"data":{"n":9007199254740993,"title":"Soup"}} true {"data":1e400}',
      `${printed[major]} {"n":9007199254740993}`,
      'item-created true',
    ])
  })
}

test('it has one file per entry point, types and the documentation, and nothing else', async (t) => {
  const { stdout } = await run('tar', ['-tf', join(project, archive)])
  const files = stdout
    .trim()
    .split('\n')
    .filter((name) => !name.endsWith('.d.ts'))
    .sort()
  t.deepEqual(files, [
    'package/README.md',
    'package/dist/main.js',
    'package/dist/manage.js',
    'package/dist/realtime.js',
    'package/dist/verify.js',
    'package/package.json',
  ])
})

test('it is bundled for a browser, without unused parts', async (t) => {
  const text =
    "import { verifyWebhook } from 'listd-client/verify'; import { ListdError } from 'listd-client'; console.log(verifyWebhook, ListdError)"
  const stdin = { contents: text, resolveDir: project }
  const { outputFiles } = await build({ stdin, bundle: true, platform: 'browser', format: 'esm', write: false })
  const bundled = outputFiles[0]?.text ?? ''
  t.true(bundled.includes('webhook-signature'))
  t.false(bundled.includes('x-identity-token'))
})

const typed = `
import { createClient, gte } from 'listd-client'
import { manage } from 'listd-client/manage'
import { live } from 'listd-client/realtime'
import { verifyWebhook } from 'listd-client/verify'

type Lists = { recipes: { data: { title: string }; index: { serves: 'number' }; order: 'serves' } }
const client = createClient<Lists>({ url: 'https://lists.example.com' })
export async function use(request: Request): Promise<string[]> {
  const titles: string[] = []
  for await (const { data } of client.list('recipes').items({ where: { serves: gte(4) }, order: 'serves' })) titles.push(data.title)
  // @ts-expect-error there is no such list
  client.list('recipe')
  // @ts-expect-error the index has numbers
  client.list('recipes').items({ where: { serves: 'four' } })
  // @ts-expect-error the list has no such order
  client.list('recipes').items({ order: 'title' })
  // @ts-expect-error the title is a text
  client.list('recipes').create({ data: { title: 4 } })
  const { secret } = await manage(client).webhooks.create({ url: 'https://shop.example.com/', events: ['item.created'] })
  const { data } = await verifyWebhook<string>({ secret, headers: request.headers, body: await request.arrayBuffer() })
  const { items } = await live(client.list('recipes'), { where: { serves: gte(4) }, order: 'serves' })
  for (const one of items) titles.push(one.data.title)
  // @ts-expect-error the index has numbers
  await live(client.list('recipes'), { where: { serves: 'four' } })
  return [...titles, data]
}
`

for (const folder of ['node_modules', 'test/openapi-client/node_modules']) {
  test(`programs, including those of the README, compile with its types and the TypeScript in ${folder}`, async (t) => {
    const name = folder.replaceAll('/', '-')
    const file = join(project, `${name}.ts`)
    const recipe = join(project, `recipe-${name}.ts`)
    const ofReadme = join(project, `readme-${name}.ts`)
    await writeFile(file, typed)
    await writeFile(recipe, await clientRecipe('Svelte'))
    await writeFile(ofReadme, `${await clientReadme()}declare const process: { env: Record<string, string> }`)
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom']
    const compiler = join(root, folder, 'typescript/bin/tsc')
    const args = [
      compiler,
      ...options,
      '--module',
      'nodenext',
      '--moduleResolution',
      'nodenext',
      file,
      ofReadme,
      recipe,
    ]
    await t.notThrowsAsync(
      run(process.execPath, args, { cwd: project }).catch(({ stdout }: { stdout: string }) => {
        throw new Error(stdout)
      }),
    )
  })
}

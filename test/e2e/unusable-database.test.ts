import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { makeMasterKey } from '#shared/crypto/seal.ts'
import { commandLine } from '../support/command-line.ts'

const password = 'geheim-12345'

/** Where nobody listens, or someone who never says a word. */
async function port(t: ExecutionContext, { silent }: { silent: boolean }): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (silent) t.teardown(() => server.close())
  else await new Promise((resolve) => server.close(resolve))
  return port
}

for (const kind of ['postgres', 'mysql']) {
  for (const silent of [false, true]) {
    test(`a ${kind} server that ${silent ? 'does not answer' : 'is away'} is told in one line with its address`, async (t) => {
      const { run } = await commandLine(t)
      const address = `127.0.0.1:${await port(t, { silent })}`
      const env = {
        LISTD_DATABASE_URL: `${kind}://listd:${password}@${address}/listd`,
        LISTD_SECRETS_MASTER_KEY: makeMasterKey(),
      }
      for (const command of silent ? [['start']] : [['migrate', '--status'], ['start']]) {
        const { code, stdout, stderr } = await run(command, { env })
        t.is(code, 1)
        t.regex(stderr, new RegExp(`^listd: .*The database at ${address} cannot be used: .+\n$`))
        if (silent) t.regex(stderr, /it does not answer/)
        t.is(stdout, '')
      }
    })
  }

  test(`the doctor tells of a ${kind} server that is away once, and what to do`, async (t) => {
    const { run } = await commandLine(t)
    const url = `${kind}://listd:${password}@127.0.0.1:${await port(t, { silent: false })}/listd`
    const env = { LISTD_DATABASE_URL: url, LISTD_SECRETS_MASTER_KEY: makeMasterKey() }
    const { code, stdout, stderr } = await run(['doctor', '--json'], { env })
    t.is(code, 1)
    const states = new Map(JSON.parse(stdout).map(({ check, ...finding }: { check: string }) => [check, finding]))
    t.like(states.get('database'), { state: 'wrong', mend: 'start the server, or correct LISTD_DATABASE_URL' })
    t.like(states.get('master key'), { state: 'note', mend: 'see above' })
    t.like(states.get('first user'), { state: 'note', mend: 'see above' })
    t.false((stdout + stderr).includes(password))
  })

  test(`beside a ${kind} server the master key must be given, and start and doctor say so`, async (t) => {
    const { run } = await commandLine(t)
    const env = { LISTD_DATABASE_URL: `${kind}://listd:${password}@127.0.0.1:1/listd`, LISTD_SECRETS_MASTER_KEY: '' }
    const start = await run(['start'], { env })
    t.is(start.code, 1)
    t.regex(
      start.stderr,
      /^listd: secrets\.masterKey is not set\. .*openssl rand -base64 32.*LISTD_SECRETS_MASTER_KEY.*\n$/,
    )
    const findings = JSON.parse((await run(['doctor', '--json'], { env })).stdout)
    t.like(
      findings.find(({ check }: { check: string }) => check === 'master key'),
      { state: 'wrong' },
    )
    const printed = await run(['config', 'print'], { env })
    t.false((printed.stdout + start.stderr).includes(password))
  })
}

test('a url of no known kind, or with parameters, is refused by its key and not shown', async (t) => {
  const { run } = await commandLine(t)
  for (const url of ['mongodb://u:geheim@h/db', 'postgres://u:geheim@h/db?sslmode=disable', 'mysql://u:geheim@h']) {
    const { code, stderr } = await run(['migrate'], { env: { LISTD_DATABASE_URL: url } })
    t.is(code, 1)
    t.regex(stderr, /database\.url: \[redacted\] \(from LISTD_DATABASE_URL\) must be empty, sqlite:<file>, or postgres/)
    t.false(stderr.includes('geheim'))
  }
})

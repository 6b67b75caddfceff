import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '#shared/data/open-database.ts'
import { localServer, restartableServer } from '../../../support/backends/restartable-server.ts'
import { testBackend } from '../../../support/databases/database.ts'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { testCaFile } from '../../../support/receivers/egress.ts'

/** SQLite has no connections. */
const onServer = localServer === null ? test.skip : test
const authority = makeAuthority()

/** A server whose certificate is for these names. @returns opens its database by one of its names */
async function securedServer(t: ExecutionContext, names: string[]) {
  if (!localServer) throw new Error('there is no server')
  const { url } = await restartableServer(t, localServer, authority.issue({ names }))
  return async (name: string, caFile: string) => {
    const db = await openDatabase({ url: url.replace('127.0.0.1', name), dataDir: '', tls: true, caFile })
    t.teardown(() => db.close())
    return db
  }
}

const isSecured = {
  postgres: 'select 1 as yes from pg_stat_ssl where pid = pg_backend_pid() and ssl',
  mysql: "show session status where variable_name = 'Ssl_cipher' and value <> ''",
  sqlite: '',
}[testBackend]

onServer(
  'with database.tls connections are encrypted, and the certificate must be from a trusted authority',
  async (t) => {
    const open = await securedServer(t, ['localhost'])
    const caFile = await testCaFile(t, authority.cert)
    const db = await open('localhost', caFile)
    t.is((await db.all(isSecured)).length, 1)
    await t.throwsAsync(open('localhost', ''), {
      message: /The database at localhost:\d+ cannot be used: .*certificate/,
    })
    const others = await testCaFile(t, makeAuthority().cert)
    await t.throwsAsync(open('localhost', others), { message: /The database at localhost:\d+ cannot be used: / })
  },
)

onServer('with database.tls the certificate must be for the name in the URL', async (t) => {
  const open = await securedServer(t, ['db.example.com'])
  const caFile = await testCaFile(t, authority.cert)
  await t.throwsAsync(open('localhost', caFile), { message: /cannot be used: .*localhost.*db\.example\.com/s })
})

onServer('with database.tls a server that does not encrypt is rejected', async (t) => {
  if (!localServer) return
  const { url } = await restartableServer(t, localServer)
  const opening = openDatabase({ url: url.replace('127.0.0.1', 'localhost'), dataDir: '', tls: true })
  await t.throwsAsync(opening, { message: /The database at localhost:\d+ cannot be used: / })
})

onServer('a file of authorities that cannot be read is named with its key', async (t) => {
  const url = testBackend === 'mysql' ? 'mysql://localhost/x' : 'postgres://localhost/x'
  await t.throwsAsync(openDatabase({ url, dataDir: '', tls: true, caFile: '/nowhere/ca.pem' }), {
    message: 'database.caFile cannot be read: /nowhere/ca.pem does not exist.',
  })
})

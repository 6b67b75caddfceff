import type { ExecutionContext } from 'ava'
import { serveIdentities } from '#services/identity/main.ts'
import type { Bus } from '#shared/bus/bus.ts'
import type {
  IdentityLogin,
  IdentityLoginAnswer,
  IdentityRegister,
  IdentityRegisterAnswer,
  UserLoginAnswer,
} from '#shared/bus/messages/identity.ts'
import type { RequestSubject } from '#shared/bus/subjects.ts'
import { loadConfig } from '#shared/config/load.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { createUser } from '#shared/data/users/users.ts'
import type { LoginIdentifier } from '#shared/domain/identity/sign-in.ts'
import { until } from '../assertions/until.ts'
import { databaseSettings, testDatabase } from '../databases/database.ts'
import { patient, testBus, testPrefix } from '../nats/bus.ts'
import { testNats } from '../nats/nats.ts'
import { testLog } from '../test-context/test-log.ts'

/** A caller waits as long as any test runs: no rejection is for lack of time. */
const patienceMs = 3_600_000

export const password = 'correct horse battery'

export type TestIdentity = {
  db: Database
  /** The bus of a requesting process. */
  bus: Bus
  natsUrl: string
  login(given: { email: string; password?: string; clientAddress?: string }): Promise<UserLoginAnswer>
  /** Registers an identity of the account, with its token. */
  register(given: Partial<IdentityRegister> & { name: string }): Promise<IdentityRegisterAnswer>
  signIn(given: Partial<IdentityLogin> & { who: LoginIdentifier }): Promise<IdentityLoginAnswer>
  /** Every log line so far. */
  logged(): string
  /** Starts another process of the service. @returns a function that ends it */
  another(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** An identity service with a real nats-server and database, the user ada@example.com, and mallory@example.com who is disabled. */
export async function startIdentity(t: ExecutionContext, env: Record<string, string> = {}): Promise<TestIdentity> {
  const nats = await testNats(t)
  const { db, dataDir } = await testDatabase(t)
  await createAccount(db, { id: 'account', name: 'A', plan: 'scale', now: Date.now() })
  await addUser(db, { id: 'ada', email: 'ada@example.com', memoryMib: 19 })
  await addUser(db, { id: 'mallory', email: 'mallory@example.com', memoryMib: 19 })
  await db.run("update users set disabled_at = created_at where id = 'mallory'")
  const settings = {
    LISTD_DATA_DIR: dataDir,
    LISTD_NATS_URL: nats.url,
    LISTD_NATS_PREFIX: testPrefix,
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    ...databaseSettings(dataDir),
    ...env,
  }
  const { log, lines } = testLog(t, 'identity')
  const config = loadConfig({ env: settings })
  async function serve(instance: string): Promise<() => Promise<void>> {
    const service = await serveIdentities({ config, log, instance, replaces: [], reloadConfig: () => config })
    let closed: Promise<void> | undefined
    const close = () => {
      closed ??= service.close()
      return closed
    }
    t.teardown(close)
    return close
  }
  const close = await serve('test')
  const bus = await testBus(t, nats.url, { waits: patient })
  await until(() => answers(bus), { what: 'the identity service to answer' })
  const ask = <T>(subject: RequestSubject, body: unknown) =>
    bus.request<T>(subject, body, { timeoutMs: patienceMs, requestId: 'r' })
  const clientAddress = '192.0.2.1'
  return {
    db,
    bus,
    natsUrl: nats.url,
    login: (given) => ask('identity.user-login', { password, clientAddress, ...given }),
    register: ({ name, ...given }) =>
      ask('identity.register', {
        accountId: 'account',
        group: null,
        name,
        displayName: name,
        email: null,
        password,
        actor: { authMode: 'token', tokenId: 'token', identityId: null },
        ...given,
      }),
    signIn: (given) =>
      ask('identity.login', { accountId: 'account', password, permitted: true, clientAddress, ...given }),
    logged: () => lines.join(''),
    another: () => serve('another'),
    close,
  }
}

/** Under load a connection may take longer than a process waits for it when it starts. */
export async function answers(bus: Bus): Promise<boolean> {
  // A request of an unknown shape is rejected by any process.
  return bus.request('identity.user-login', {}, { timeoutMs: 5_000, requestId: 'r' }).then(
    () => true,
    ({ name }) => name !== 'SERVICE_UNAVAILABLE',
  )
}

/** Computed once for all with this password: a hash costs more than the rest of a start. */
const hashes = new Map<number, Promise<string>>()

function hashOf(memoryMib: number): Promise<string> {
  const created = hashes.get(memoryMib) ?? hashPassword(password, { memoryMib, operations: 2 })
  hashes.set(memoryMib, created)
  return created
}

export async function addUser(
  db: Database,
  { id, email, memoryMib }: { id: string; email: string; memoryMib: number },
): Promise<void> {
  const passwordHash = await hashOf(memoryMib)
  await createUser(db, { id, accountId: 'account', email, passwordHash, now: Date.now() })
}

import type { ExecutionContext } from 'ava'
import { pino } from 'pino'
import { startService } from '#services/identity/main.ts'
import type { Bus } from '#shared/bus/bus.ts'
import type { UserLoginAnswer } from '#shared/bus/subjects.ts'
import { loadConfig } from '#shared/config/load.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { createAccount } from '#shared/data/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { createUser } from '#shared/data/users.ts'
import { testBus } from './bus.ts'
import { testDatabase } from './database.ts'
import { testNats } from './nats.ts'

export const password = 'correct horse battery'

export type TestIdentity = {
  db: Database
  /** The bus of a process that asks. */
  bus: Bus
  login(given: { email: string; password?: string; clientAddress?: string }): Promise<UserLoginAnswer>
  /** Every log line so far. */
  logged(): string
  close(): Promise<void>
}

/** An identity service with a real nats-server and database, and the user ada@example.com. */
export async function startIdentity(t: ExecutionContext, env: Record<string, string> = {}): Promise<TestIdentity> {
  const nats = await testNats(t)
  const { db, dataDir } = await testDatabase(t)
  await createAccount(db, { id: 'account', name: 'A', plan: 'scale', now: Date.now() })
  await addUser(db, { id: 'ada', email: 'ada@example.com', memoryMib: 19 })
  const settings = { LISTD_DATA_DIR: dataDir, LISTD_NATS_URL: nats.url, LISTD_PASSWORDS_MEMORY_MIB: '19', ...env }
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) })
  const service = await startService({ config: loadConfig({ env: settings }), log, instance: 'test', replaces: [] })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= service.close()
    return closed
  }
  t.teardown(close)
  const bus = await testBus(t, nats.url)
  return {
    db,
    bus,
    login: (given) =>
      bus.request(
        'identity.user-login',
        { password, clientAddress: '192.0.2.1', ...given },
        { timeoutMs: 10_000, requestId: 'r' },
      ),
    logged: () => lines.join(''),
    close,
  }
}

export async function addUser(
  db: Database,
  { id, email, memoryMib }: { id: string; email: string; memoryMib: number },
): Promise<void> {
  const passwordHash = await hashPassword(password, { memoryMib, operations: 2 })
  await createUser(db, { id, accountId: 'account', email, passwordHash, now: Date.now() })
}

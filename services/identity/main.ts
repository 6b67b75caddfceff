import { createAddressLimit } from '#shared/admission/address-limit.ts'
import type { Bus } from '#shared/bus/bus.ts'
import { createHintSender } from '#shared/bus/hint-sender.ts'
import {
  identityLogin,
  identityRegister,
  identityResetPassword,
  identityUpdateSelf,
  passwordHash,
  userLogin,
  userSetup,
  userUpdate,
} from '#shared/bus/messages/identity.ts'
import type { HandlerContext, Responder } from '#shared/bus/requests/responders.ts'
import type { RequestSubject } from '#shared/bus/subjects.ts'
import { setThreadPoolSize } from '#shared/config/environment.ts'
import { newId } from '#shared/crypto/ids.ts'
import { hashesAtOnce } from '#shared/crypto/password.ts'
import { conflictCounters } from '#shared/data/conflict.ts'
import { checkSchema } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { getInstallationId } from '#shared/data/settings/installation.ts'
import { loginLimits } from '#shared/domain/limits.ts'
import { hintsOf } from '#shared/domain/realtime/hints.ts'
import type { RunningService, ServiceContext } from '#shared/lifecycle/run-service.ts'
import { watchClock } from '#shared/ops/clock.ts'
import { createDatabaseCheck } from '#shared/ops/database-check.ts'
import { createDatabaseLog } from '#shared/ops/database-log.ts'
import { joinInstallation } from '#shared/ops/join-installation.ts'
import { measureDatabase } from '#shared/ops/measures.ts'
import { startOps } from '#shared/ops/ops.ts'
import { watchSchema } from '#shared/ops/schema-watch.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import type { Deps } from './context.ts'
import { hashNewPassword } from './handlers/hash-password.ts'
import { loginIdentity } from './handlers/identity/login.ts'
import { registerIdentity } from './handlers/identity/register.ts'
import { resetPassword } from './handlers/identity/reset-password.ts'
import { updateSelf } from './handlers/identity/update-self.ts'
import { loginUser } from './handlers/user/login.ts'
import { setUp } from './handlers/user/setup.ts'
import { updateUser } from './handlers/user/update.ts'
import { createLoginTurns } from './login-turns.ts'
import { createPasswordCheck } from './password-check.ts'
import { lowerPriority } from './priority.ts'
import { createRegistrationLimit } from './registration-limit.ts'
import { createRejectedLoginLog } from './rejected-login.ts'
import { startRetention } from './retention.ts'

/** The most clients and tokens that are counted: some 2 MB. */
const maxKeys = 10_000
/** The most logins that wait for others of the same name: half of what a process handles at once. */
const maxWaitingLogins = 128
/** The shortest time between two hints about the identities of an account. */
const hintsEveryMs = 1_000
/** Two threads for the database in addition to the hashing ones: with Node.js's default of four, it would wait for them on four cores. */
const threads = Math.max(4, hashesAtOnce + 2)

/**
 * The only process that hashes passwords: registers identities, and signs them and users in, for requests of gateways over
 * the bus.
 */
export async function startService(context: ServiceContext): Promise<RunningService> {
  setThreadPoolSize(threads)
  const service = await serveIdentities(context)
  lowerPriority()
  return service
}

/** The same in a process that also does other work, so its priority is not lowered. */
export async function serveIdentities({ config, log, instance }: ServiceContext): Promise<RunningService> {
  const db = await openDatabase({ ...config.database, dataDir: config.dataDir, listener: createDatabaseLog(log) })
  await checkSchema(db)
  const { bus, failed } = await joinInstallation({ service: 'identity', config, db, log })
  const hints = createHintSender(bus, { subject: 'identity.hints', instance, everyMs: hintsEveryMs })
  const backgroundTasks = createBackgroundTasks(log)
  const counting = { now: () => performance.now(), maxKeys }
  const rejectedLogins = createRejectedLoginLog(log, {
    names: config.log.loginNames,
    installationId: await getInstallationId(db),
  })
  const deps: Deps = {
    log,
    db,
    announce(committed) {
      for (const one of committed) hints.note(one.accountId, hintsOf(one))
    },
    bus,
    passwords: config.passwords,
    checkPassword: createPasswordCheck({ passwords: config.passwords, log }),
    addressLimit: createAddressLimit({ ...counting, perMinute: loginLimits.perAddressAndMinute }),
    countRegistration: createRegistrationLimit({ ...counting, limits: config.registrations }),
    logRejectedLogin: rejectedLogins.log,
    loginTurns: createLoginTurns(maxWaitingLogins),
    newId,
    runInBackground: backgroundTasks.run,
  }
  answerRequests(bus, deps)
  const stopRetention = startRetention({ db, log, owner: instance })
  const clock = watchClock({ db, log })
  const ops = await startOps({
    port: config.identity.opsPort,
    host: config.ops.host,
    service: 'identity',
    checks: {
      database: createDatabaseCheck(db),
      nats: async () => (bus.connected() ? 'ok' : 'degraded'),
      clock: clock.check,
    },
    measured: { ...conflictCounters('login', 'group'), ...rejectedLogins.measured, ...measureDatabase(db) },
  })
  const schema = watchSchema(db)
  return {
    started: { opsPort: ops.port },
    failed: Promise.race([schema.failed, failed]),
    async close() {
      schema.stop()
      clock.stop()
      hints.close()
      await Promise.all([bus.close(), stopRetention()])
      await Promise.all([backgroundTasks.idle(), ops.close()])
      await db.close()
    },
  }
}

function answerRequests(bus: Bus, deps: Deps): void {
  function answer<B>(subject: RequestSubject, schema: Responder<B>['schema'], handler: Handler<B>): void {
    bus.respond(subject, { schema, handle: (body, context) => handler(deps, body, context) })
  }
  answer('identity.user-login', userLogin, loginUser)
  answer('identity.setup', userSetup, setUp)
  answer('identity.user-update', userUpdate, updateUser)
  answer('identity.register', identityRegister, registerIdentity)
  answer('identity.hash-password', passwordHash, hashNewPassword)
  answer('identity.login', identityLogin, loginIdentity)
  answer('identity.update-self', identityUpdateSelf, updateSelf)
  answer('identity.reset-password', identityResetPassword, resetPassword)
}

type Handler<B> = (deps: Deps, body: B, context: HandlerContext) => Promise<unknown>

import type { MinuteLimit } from '#shared/admission/minute-limit.ts'
import type { Bus } from '#shared/bus/bus.ts'
import type { PasswordParams } from '#shared/crypto/password.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { LoginTurns } from './login-turns.ts'
import type { CheckPassword } from './password-check.ts'
import type { CountRegistration } from './registration-limit.ts'
import type { LogRejectedLogin } from './rejected-login.ts'

/** The dependencies of handlers; created once in `main.ts`. */
export type Deps = {
  log: Logger
  db: Database
  announce: Announce
  bus: Pick<Bus, 'broadcast'>
  passwords: PasswordParams
  checkPassword: CheckPassword
  /** The limits of logins. */
  addressLimit: MinuteLimit
  countRegistration: CountRegistration
  logRejectedLogin: LogRejectedLogin
  /** Lets attempts for the same name begin one after the other. */
  loginTurns: LoginTurns
  newId(): string
  /** Runs work after the response; the process ends only when it is done. */
  runInBackground(work: () => Promise<void>): void
}

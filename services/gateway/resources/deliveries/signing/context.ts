import type { MinuteLimit } from '#shared/admission/minute-limit.ts'
import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Logger } from '#shared/log/logger.ts'

/** How often a user may request or verify signatures: each key is a user's id. */
export type SigningLimits = Readonly<Record<'sign' | 'verify', MinuteLimit>>

/** The dependencies of the handlers of signatures. */
export type SigningDeps = {
  config: Config
  log: Logger
  db: Database
  sealer: Sealer
  /** Epoch milliseconds. */
  now(): number
  signingLimits: SigningLimits
}

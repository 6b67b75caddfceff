import type { Revoked } from '#shared/bus/messages/revocation.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database, Transaction } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { type TokenEventType, tokenEvent } from '#shared/data/tokens/token-events.ts'
import { findTokensByRef, lockToken } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { notifyGateways } from '../../notify-gateways.ts'
import { confirm } from '../../terminal/confirm.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { chooseAccount, withSchema } from '../database/database.ts'
import { tokenRow } from './token-row.ts'

export type OneToken = { token: string; account?: string; json?: true }

type TokenChange = {
  type: TokenEventType
  /** The question to confirm; null: do not ask. */
  question?: ((token: ApiToken) => string) | null
  /** @param notified when running gateways see the change, as the end of a sentence */
  said(token: ApiToken, notified: string): string
  /** @returns the changed token, and its new value if it has one; null: there was nothing to change */
  write(tx: Transaction, before: ApiToken, now: number): Promise<Written | null>
}

type Written = { token: ApiToken; value?: string }

/**
 * Changes a token, with the event of the change, and prints the token as JSON if requested.
 * @throws Error with a sentence when there is no such token, or several have the name; CommandFailed without confirmation
 */
export async function changeToken(terminal: Terminal, options: OneToken, change: TokenChange): Promise<void> {
  await withSchema(terminal, async (context) => {
    const { db } = context
    const account = await chooseAccount(db, options.account)
    const found = await getToken(db, { account, ref: options.token })
    if (change.question) await confirm(terminal, change.question(found), 'yes')
    const { token, value, hash } = await db.transaction(async (tx): Promise<Written & { hash: string }> => {
      const before = await lockToken(tx, { accountId: account.id, tokenId: found.id })
      if (!before) throw new Error(`the token "${found.name}" was deleted in the meantime.`)
      const now = await tx.now()
      const written = await change.write(tx, before.token, now)
      if (!written) return before
      await insertEvents(tx, [tokenEvent(change.type, written.token, { id: newId(), actor: null, now })])
      return { ...written, hash: before.hash }
    })
    const notified = await notifyGateways(context, 'revoked', { tokenHash: hash } satisfies Revoked)
    terminal.stderr.write(change.said(token, notified))
    if (options.json) terminal.stdout.write(formatJson({ ...tokenRow(token, account.name), value }))
    else if (value !== undefined) terminal.stdout.write(`${value}\n`)
  })
}

/** The token with this id, or the only one with this name. */
export async function getToken(
  db: Database,
  { account, ref }: { account: { id: string; name: string }; ref: string },
): Promise<ApiToken> {
  const found = await findTokensByRef(db, { accountId: account.id, ref })
  const byId = found.find(({ id }) => id === ref)
  const [token] = byId ? [byId] : found
  if (!token) {
    throw new Error(`the account "${account.name}" has no token "${ref}"; "listd token list" lists the tokens.`)
  }
  if (byId || found.length === 1) return token
  throw new Error(
    `several tokens have the name "${ref}": ${found.map(({ id }) => id).join(', ')}. Choose one by its id.`,
  )
}

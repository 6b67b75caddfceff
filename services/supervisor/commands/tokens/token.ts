import { listTokens, removeToken, replaceTokenValue, writeToken } from '#shared/data/tokens/tokens.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { listing, maxRows, withinLimit } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { accountNames, chooseAccount, withSchema } from '../database/database.ts'
import { changeToken, type OneToken } from './change-token.ts'
import { tokenRow } from './token-row.ts'

/** `listd token list`: of one account or of all; never with the values. */
export async function listTokensCommand(
  terminal: Terminal,
  { account: named, json }: { account?: string; json?: true },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const of = named === undefined ? {} : { accountId: (await chooseAccount(db, named)).id }
    const found = withinLimit(terminal, await listTokens(db, { ...of, limit: maxRows + 1 }))
    const names = await accountNames(db)
    const rows = found.map((token) => tokenRow(token, names.get(token.accountId) ?? null))
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

const columns = {
  id: 'id',
  name: 'name',
  account: 'account',
  rules: 'rules',
  active: 'activated',
  locked: 'locked',
  created: 'createdAt',
  expires: 'expiresAt',
  'last used': 'lastUsedAt',
} as const

/** `listd token lock` and `unlock`: a locked token is rejected like a deactivated one, and no request unlocks it (contract 2.6). */
export async function setTokenLockedCommand(
  terminal: Terminal,
  { locked, ...options }: OneToken & { locked: boolean },
): Promise<void> {
  const state = locked ? 'locked' : 'unlocked'
  await changeToken(terminal, options, {
    type: `token-${state}`,
    said: (token, notified) => `The token "${token.name}" is ${state}; ${notified}\n`,
    async write(tx, before, now) {
      if (before.locked === locked) return null
      const token = { ...before, locked, updatedAt: laterThan(before, now) }
      await writeToken(tx, token)
      return { token }
    },
  })
}

/** `listd token rotate`: gives a token a new value, after a confirmation, and prints only that value on standard output. */
export async function rotateTokenCommand(terminal: Terminal, options: OneToken & { yes?: true }): Promise<void> {
  await changeToken(terminal, options, {
    type: 'token-rotated',
    question: options.yes ? null : ({ name }) => `The current value of the token "${name}" becomes invalid.`,
    said: ({ name }, notified) =>
      `The token "${name}" has a new value, which cannot be shown again, and the old one is invalid; ${notified}\n`,
    async write(tx, before, now) {
      const token = { ...before, updatedAt: laterThan(before, now) }
      await writeToken(tx, token)
      return { token, value: await replaceTokenValue(tx, { accountId: token.accountId, tokenId: token.id }) }
    },
  })
}

/** `listd token delete`: after a confirmation. */
export async function deleteTokenCommand(terminal: Terminal, options: OneToken & { yes?: true }): Promise<void> {
  await changeToken(terminal, options, {
    type: 'token-deleted',
    question: options.yes ? null : ({ name }) => `This permanently deletes the token "${name}".`,
    said: ({ name }, notified) => `Deleted the token "${name}"; ${notified}\n`,
    async write(tx, token) {
      await removeToken(tx, { accountId: token.accountId, tokenId: token.id })
      return { token }
    },
  })
}

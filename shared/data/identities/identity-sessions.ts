import type { GroupSettings } from '#shared/domain/identity/group-fields.ts'
import { liveSince, type SessionTimes } from '#shared/domain/identity/session.ts'
import { toBoolean, toJson, toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { valuesTable } from '../sql/statements.ts'
import { type IdentityAt, identitiesWithGroups } from './identities.ts'
import { groupSettingsColumns, groupSettingsOf } from './identity-groups.ts'

/** An identity's session, with everything that a request needs of both. Only the hash of its token is stored. */
export type IdentitySession = SessionTimes & {
  id: string
  accountId: string
  identity: {
    id: string
    name: string
    displayName: string
    tags: string[]
    groupName: string | null
    /** Another group of the account has the same name in different case. */
    groupIsAmbiguous: boolean
    activated: boolean
  }
  settings: GroupSettings
}

export async function createIdentitySession(
  db: Queries,
  session: SessionTimes & { id: string; accountId: string; identityId: string; tokenHash: string },
): Promise<void> {
  const { id, accountId, identityId, tokenHash, createdAt, expiresAt, lastUsedAt } = session
  await db.run(
    sql`insert into sessions (id, account_id, kind, subject_id, token_hash, created_at, expires_at, last_used_at)
      values (${id}, ${accountId}, 'identity', ${identityId}, ${tokenHash}, ${createdAt}, ${expiresAt}, ${lastUsedAt})`,
  )
}

const sameNames = raw(
  '(select count(*) from identity_groups o where o.account_id = g.account_id and o.name_key = g.name_key)',
)

/** The session of a token, expired or not, with the current settings of its group. */
export async function findIdentitySession(db: Queries, tokenHash: string): Promise<IdentitySession | null> {
  const row = await db.get(
    sql`select s.id, s.account_id, s.created_at, s.expires_at, s.last_used_at, i.id as identity_id, i.name,
      i.display_name, i.tags, i.activated, g.name as group_name, ${sameNames} as same_names, ${raw(groupSettingsColumns)}
      from ${raw(identitiesWithGroups)} join sessions s on s.subject_id = i.id and s.account_id = i.account_id
      where s.token_hash = ${tokenHash} and s.kind = 'identity'`,
  )
  if (!row) return null
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    createdAt: toNumber(row.created_at),
    expiresAt: toNumber(row.expires_at),
    lastUsedAt: toNumber(row.last_used_at),
    identity: {
      id: toText(row.identity_id),
      name: toText(row.name),
      displayName: toText(row.display_name),
      tags: toJson(row.tags) as string[],
      groupName: toTextOrNull(row.group_name),
      groupIsAmbiguous: toNumber(row.same_names) > 1,
      activated: toBoolean(row.activated),
    },
    settings: groupSettingsOf(row),
  }
}

/** The sessions of an identity that have not ended by the settings of its group. */
export type LiveSessions = IdentityAt & { settings: GroupSettings; now: number }

/** The condition that a row of `sessions` is one of them. */
export function isLiveSession({ accountId, identityId, settings, now }: LiveSessions): Sql {
  const { createdAt, lastUsedAt } = liveSince(settings, now)
  return sql`subject_id = ${identityId} and account_id = ${accountId} and kind = 'identity'
    and expires_at > ${now} and created_at > ${createdAt} and last_used_at > ${lastUsedAt}`
}

export async function countIdentitySessions(db: Queries, of: LiveSessions): Promise<number> {
  const row = await db.get<{ live: unknown }>(sql`select count(*) as live from sessions where ${isLiveSession(of)}`)
  return toNumber(row?.live)
}

/** The numbers of live sessions of several identities, by id; identities without sessions are omitted. */
export async function countSessionsOfAll(
  db: Queries,
  identities: readonly { identityId: string; settings: GroupSettings }[],
  now: number,
): Promise<Map<string, number>> {
  const live = identities.map(({ identityId, settings }) => {
    const { createdAt, lastUsedAt } = liveSince(settings, now)
    return [identityId, createdAt, lastUsedAt]
  })
  const input = valuesTable({ id: 'text', created_after: 'int', used_after: 'int' }, live)
  const rows = await db.all(
    // A cross join fixes the join order: few identities, each with its sessions by index.
    sql`select input.id, count(*) as live from ${input} cross join sessions s
      where s.subject_id = input.id and s.kind = 'identity' and s.expires_at > ${now}
        and s.created_at > input.created_after and s.last_used_at > input.used_after
      group by input.id`,
  )
  return new Map(rows.map((row) => [toText(row.id), toNumber(row.live)]))
}

/** Ends the session of a token, if it belongs to the account. */
export async function deleteIdentitySession(
  db: Queries,
  { accountId, tokenHash }: { accountId: string; tokenHash: string },
): Promise<void> {
  await db.run(
    sql`delete from sessions where token_hash = ${tokenHash} and account_id = ${accountId} and kind = 'identity'`,
  )
}

/** Ends every session of an identity, except the one of this token. @returns their number */
export function deleteIdentitySessions(
  db: Queries,
  { accountId, identityId, except = '' }: IdentityAt & { except?: string },
): Promise<number> {
  return db.run(sql`delete from sessions
    where subject_id = ${identityId} and account_id = ${accountId} and kind = 'identity' and token_hash <> ${except}`)
}

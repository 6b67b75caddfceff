import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'

/** A tenant: everything belongs to one account. Times are epoch milliseconds. */
export type Account = { id: string; createdAt: number; updatedAt: number; name: string; plan: string }

export async function createAccount(
  db: Queries,
  input: { id: string; name: string; plan: string; now: number },
): Promise<Account> {
  const { id, name, plan, now } = input
  await db.run(sql`insert into accounts (id, created_at, updated_at, name, plan)
    values (${id}, ${now}, ${now}, ${name}, ${plan})`)
  return { id, createdAt: now, updatedAt: now, name, plan }
}

export async function findAccount(db: Queries, id: string): Promise<Account | null> {
  const row = await db.get<AccountRow>(sql`select ${columns} from accounts where id = ${id}`)
  return row ? accountOf(row) : null
}

/** Accounts with this name or id, or all, in the order of creation. */
export async function listAccounts(db: Queries, options: { named?: string; limit: number }): Promise<Account[]> {
  const { named, limit } = options
  const where = named === undefined ? raw('') : sql` where name = ${named} or id = ${named}`
  const rows = await db.all<AccountRow>(sql`select ${columns} from accounts${where} order by id limit ${limit}`)
  return rows.map(accountOf)
}

/** Changes an account's price plan; resources beyond the new plan stay. @returns whether the account exists */
export async function setPlan(db: Queries, change: { accountId: string; plan: string; now: number }): Promise<boolean> {
  const { accountId, plan, now } = change
  return (await db.run(sql`update accounts set plan = ${plan}, updated_at = ${now} where id = ${accountId}`)) === 1
}

/** Selects the id of the price plan of the account that rows of a table belong to. */
export function planOf(table: 'tokens' | 'sessions'): Sql {
  return raw(`coalesce((select plan from accounts where accounts.id = ${table}.account_id), '')`)
}

const columns = raw('id, created_at, updated_at, name, plan')
type AccountRow = Record<'id' | 'created_at' | 'updated_at' | 'name' | 'plan', unknown>

function accountOf(row: AccountRow): Account {
  return {
    id: toText(row.id),
    createdAt: toNumber(row.created_at),
    updatedAt: toNumber(row.updated_at),
    name: toText(row.name),
    plan: toText(row.plan),
  }
}

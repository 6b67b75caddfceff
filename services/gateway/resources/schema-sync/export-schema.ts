import { retryOnConflict } from '#shared/data/conflict.ts'
import type { Queries } from '#shared/data/database.ts'
import {
  countListsByScope,
  countListsOfScope,
  type ExportedLists,
  exportedLists,
  findExported,
} from '#shared/data/lists/exported-lists.ts'
import type { ListSet } from '#shared/data/lists/list-page.ts'
import { selectLists } from '#shared/domain/access/selections.ts'
import { bodyBytes, maxSyncLists } from '#shared/domain/limits.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import { exportDocument, exportList } from '#shared/domain/sync/export.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

/** What to export: `scope`: '' for none, absent for the one that manages the lists; `lists` are ids or path names. */
export type ExportQuery = { scope?: string; tagged?: string[][]; lists?: string[] }

/** A document as JSON text. */
export type SchemaExport = { document: string; warnings: string[] }

/**
 * Lists as a sync document that changes nothing when it is synced. A document has one scope: lists of others, and indexes that
 * the scope does not manage, are left out with a warning. It is never truncated: a sync of a part with `prune` would delete the rest.
 * @throws PAYLOAD_TOO_LARGE when no sync accepts a document of all these lists; SERVICE_UNAVAILABLE when they change faster
 *   than they are read
 */
export function exportSchema(
  { db }: Pick<SchemaSyncDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  query: ExportQuery,
): Promise<SchemaExport> {
  return retryOnConflict('list', async () => {
    const { lists, missing } = await findExported(db.long, exportedSet(principal, query), refsOf(query))
    const counts = await countListsByScope(db.long, lists)
    const scope = query.scope === undefined ? onlyScope(counts) : query.scope || null
    const unnamed = isPart(query) && scope !== null ? await countUnnamed(db.long, lists, { scope, counts }) : 0
    const { members, warnings } = await readMembers(db.long, lists, scope)
    return {
      document: exportDocument(scope, members),
      warnings: [
        ...missing.map((ref) => `There is no list ${ref}.`),
        ...(query.scope === undefined ? otherScopes(counts, scope) : []),
        ...(unnamed > 0 ? [notAll(unnamed, scope)] : []),
        ...warnings,
      ],
    }
  })
}

function exportedSet(principal: AuthenticatedPrincipal, { tagged }: ExportQuery): ListSet {
  const { accountId, mode } = principal
  const permission = { action: 'sync-schema', resourceType: 'list' } as const
  const visible = mode === 'user' ? { rest: true, except: [] } : selectLists(principal.permissions, permission)
  const filters = tagged ? { tagged } : {}
  return { accountId, visible, activatedOnly: mode === 'token', filters }
}

const refsOf = ({ lists }: ExportQuery) => lists?.map(pathNameKey) ?? null

/** Whether the request names lists by tags or references. */
const isPart = ({ tagged, lists }: ExportQuery) => tagged !== undefined || lists !== undefined

/** The scope of all lists, if they have the same; otherwise null: the document has the lists without a scope. */
function onlyScope(counts: ReadonlyMap<string | null, number>): string | null {
  const [scope = null] = counts.keys()
  return counts.size === 1 ? scope : null
}

function otherScopes(counts: ReadonlyMap<string | null, number>, scope: string | null): string[] {
  return [...counts].flatMap(([other, n]) =>
    other === null || other === scope
      ? []
      : [`Left out: ${counted(n, 'list')} that the scope ${other} manages; export with scope=${other}.`],
  )
}

/** How many more lists the scope manages than the request names: `prune` would delete them. */
async function countUnnamed(
  db: Queries,
  lists: ExportedLists,
  { scope, counts }: { scope: string; counts: ReadonlyMap<string | null, number> },
): Promise<number> {
  const all = await countListsOfScope(db, { ...lists, filters: {}, ids: null }, scope)
  return Math.max(0, all - (counts.get(scope) ?? 0))
}

function notAll(unnamed: number, scope: string | null): string {
  const lists = `${counted(unnamed, 'list')} that the scope ${scope} manages`
  return `Left out because of tagged or lists: ${lists}; a sync of this document with prune would delete what is left out.`
}

/** The members of the document's `lists`. @throws PAYLOAD_TOO_LARGE when they are more, or longer, than a sync accepts */
async function readMembers(
  db: Queries,
  lists: ExportedLists,
  scope: string | null,
): Promise<{ members: string[]; warnings: string[] }> {
  const members: string[] = []
  const warnings: string[] = []
  let bytes = 0
  for await (const current of exportedLists(db, lists, scope)) {
    const { member, leftOut } = exportList(current)
    bytes += Buffer.byteLength(member) + 1
    members.push(member)
    if (members.length > maxSyncLists || bytes > maxMembersBytes)
      throw new AppError('PAYLOAD_TOO_LARGE', { message: tooLong })
    if (leftOut.length > 0) warnings.push(leftOutIndexes(current.list.pathName, leftOut))
  }
  return { members, warnings }
}

/** The rest of a document is shorter than 1 KiB. */
const maxMembersBytes = bodyBytes.syncDocument - 1024

const accepted = `${counted(maxSyncLists, 'list')} and ${counted(bodyBytes.syncDocument, 'byte')}`
const tooLong = `The document of these lists is longer than a sync accepts (${accepted}); export fewer with scope, lists or tagged.`

function leftOutIndexes(list: string, indexes: readonly string[]): string {
  return `Left out: indexes that the scope of the list ${list} does not manage: ${indexes.join(', ')}.`
}

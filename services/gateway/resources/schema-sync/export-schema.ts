import { retryOnConflict } from '#shared/data/conflict.ts'
import type { Queries } from '#shared/data/database.ts'
import {
  countListsByScope,
  type ExportedLists,
  exportedLists,
  foundReferences,
} from '#shared/data/lists/exported-lists.ts'
import { bodyBytes, maxSyncEntries } from '#shared/domain/limits.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import { selectLists } from '#shared/domain/permissions.ts'
import { exportDocument, exportList } from '#shared/domain/sync/export.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

/** What to export: `scope` '' is none, and absent the one that manages the lists; `lists` are ids or path names. */
export type ExportQuery = { scope?: string; tagged?: string[][]; lists?: string[] }

/** A document as JSON text. */
export type SchemaExport = { document: string; warnings: string[] }

/**
 * Lists as a sync document that changes nothing when it is synced. A document has one scope: lists of others, and indexes that
 * the scope does not manage, are left out with a warning, and so is what a sync would not accept for its size.
 * @throws SERVICE_UNAVAILABLE when the lists change faster than they are read
 */
export function exportSchema(
  { db }: Pick<SchemaSyncDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  query: ExportQuery,
): Promise<SchemaExport> {
  return retryOnConflict('list', async () => {
    const lists = exportedSet(principal, query)
    const counts = await countListsByScope(db.long, lists)
    const scope = query.scope === undefined ? onlyScope(counts) : query.scope || null
    const missing = await missingReferences(db.long, lists)
    const { members, warnings } = await readMembers(db.long, lists, { scope, count: counts.get(scope) ?? 0 })
    return {
      document: exportDocument(scope, members),
      warnings: [
        ...missing.map((ref) => `There is no list ${ref}.`),
        ...(query.scope === undefined ? otherScopes(counts, scope) : []),
        ...warnings,
      ],
    }
  })
}

function exportedSet(principal: AuthenticatedPrincipal, { tagged, lists }: ExportQuery): ExportedLists {
  const { accountId, mode } = principal
  const permission = { action: 'sync-schema', resourceType: 'list' } as const
  const visible = mode === 'user' ? { rest: true, except: [] } : selectLists(principal.permissions, permission)
  const filters = tagged ? { tagged } : {}
  return { accountId, visible, activatedOnly: mode === 'token', filters, refs: lists?.map(pathNameKey) ?? null }
}

/** The scope of all lists, if they have the same; otherwise the document is of those that none manages. */
function onlyScope(counts: ReadonlyMap<string | null, number>): string | null {
  const [scope = null] = counts.keys()
  return counts.size === 1 ? scope : null
}

function otherScopes(counts: ReadonlyMap<string | null, number>, scope: string | null): string[] {
  return [...counts].flatMap(([other, n]) =>
    other === null || other === scope
      ? []
      : [`Left out: ${n} ${n === 1 ? 'list' : 'lists'} that the scope ${other} manages; export with scope=${other}.`],
  )
}

async function missingReferences(db: Queries, lists: ExportedLists): Promise<string[]> {
  if (lists.refs === null) return []
  const found = await foundReferences(db, lists)
  return lists.refs.filter((ref) => !found.has(ref))
}

/** The members of the document's `lists`, up to what a sync accepts. @param of.count how many lists there are */
async function readMembers(
  db: Queries,
  lists: ExportedLists,
  of: { scope: string | null; count: number },
): Promise<{ members: string[]; warnings: string[] }> {
  const members: string[] = []
  const warnings: string[] = []
  let [entries, bytes] = [0, 0]
  for await (const current of exportedLists(db, lists, of.scope)) {
    const { member, entries: more, leftOut } = exportList(current)
    entries += more
    bytes += Buffer.byteLength(member) + 1
    if (entries > maxSyncEntries || bytes > maxMembersBytes) {
      const from = `from ${current.list.pathName} on`
      warnings.push(`Left out: ${of.count - members.length} lists ${from}, because a sync accepts no longer document.`)
      break
    }
    members.push(member)
    if (leftOut.length > 0) warnings.push(leftOutIndexes(current.list.pathName, leftOut))
  }
  return { members, warnings }
}

/** What is around them is shorter than the rest. */
const maxMembersBytes = bodyBytes.syncDocument - 1024

function leftOutIndexes(list: string, indexes: readonly string[]): string {
  return `Left out: indexes of the list ${list} that its scope does not manage: ${indexes.join(', ')}.`
}

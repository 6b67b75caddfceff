import { isGroup } from '#shared/domain/item/questions/where.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'

/** A document may have 256 KiB, and 20 versions are kept of each. */
const maxRows = 2

/** In `where` of flows the value of an expression is a literal from now on: what was a filter is written as one. */
export async function writeFlowFilters(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const flows = await tx.all(sql`select id, document from flows
    where id > ${after ?? ''} order by id limit ${Math.min(limit, maxRows)} ${forUpdate}`)
  for (const { id, document } of flows) {
    const written = withFilters(toText(document))
    if (written !== null) await tx.run(sql`update flows set document = ${written} where id = ${toText(id)}`)
    const versions = await tx.all(sql`select version, document from flow_versions where flow_id = ${toText(id)}`)
    for (const { version, document: earlier } of versions) {
      const text = withFilters(toText(earlier))
      if (text !== null)
        await tx.run(sql`update flow_versions set document = ${text}
          where flow_id = ${toText(id)} and version = ${Number(version)}`)
    }
  }
  return { rows: flows.length, after: flows.length > 0 ? toText(flows.at(-1)?.id) : null }
}

/** The text of a document, whose conditions are filters; everything else keeps its place. Null: it has none. */
export function withFilters(document: string): string | null {
  const places = placesOf(document, pointersOfConditions(JSON.parse(document)))
  const found = [...places.values()].sort((one, other) => other.from - one.from)
  const text = found.reduce(
    (written, { from, to }) => `${written.slice(0, from)}{"filter":${written.slice(from, to)}}${written.slice(to)}`,
    document,
  )
  return found.length === 0 ? null : text
}

/** Of expressions that may come to a text, or to conditions together. */
function pointersOfConditions(document: unknown): string[] {
  const nodes = isObject(document) ? own(document, 'nodes') : null
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: unknown, n) => {
    const where = isObject(node) ? own(node, 'where') : null
    if (!isObject(where)) return []
    return Object.entries(where)
      .filter(([name, text]) => typeof text === 'string' && (isGroup(name) || !isPlain(text)))
      .map(([name]) => childPointer(`/nodes/${n}/where`, name))
  })
}

/** Whether an expression is a number, a flag or null, which mean the same as literals. */
const isPlain = (text: string) => /^\s*(true|false|null|-?\d[\d.]*)\s*$/.test(text)

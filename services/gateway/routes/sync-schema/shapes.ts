import { setImmediate as nextTurn } from 'node:timers/promises'
import Joi from 'joi'
import { checkSchema } from '#shared/domain/schema/json-schema.ts'
import { readSyncDocument, type SyncDocument, syncDocumentFaults } from '#shared/domain/sync/document.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import type { Fault } from '#shared/errors.ts'
import { maxFaults, refuse } from '../../http/faults.ts'
import { queryBoolean } from '../../http/query.ts'

export type SyncQuery = { dryRun: boolean; planHash: string | null }

const notAccepted = () => queryBoolean().valid(false).messages({ 'any.only': '{{#label}} is not accepted' })

/** Flags that delete or rebuild are refused when set, not ignored. */
export const syncQuery = Joi.object({
  dryRun: queryBoolean().default(false),
  planHash: Joi.string().max(100).default(null),
  prune: notAccepted(),
  allowRebuild: notAccepted(),
  allowDestructive: notAccepted(),
})

/** Only that it is an object: `readDocument` judges the rest, all faults at once. */
export const syncBody = Joi.object({ $schema: Joi.any(), scope: Joi.any(), lists: Joi.any() }).unknown()

/**
 * A body as a document.
 * @param lists source text of its `lists`, undefined when it has none
 * @throws VALIDATION_FAILED with every fault of the document and of the schemas in it
 */
export async function readDocument(body: unknown, lists: string | undefined): Promise<SyncDocument> {
  const schemas = lists?.startsWith('{') ? schemaTexts(lists) : new Map<string, string>()
  refuse(syncDocumentFaults(body), await schemaFaults(schemas))
  return readSyncDocument(body, schemas)
}

/** Checking a schema takes a millisecond, a big one much longer: other requests have their turn between two. */
async function schemaFaults(schemas: ReadonlyMap<string, string>): Promise<Fault[]> {
  const sound = new Set<string>()
  const all: Fault[] = []
  for (const [key, text] of schemas) {
    if (sound.has(text)) continue
    const faults = checkSchema(text, `lists.${key}.schema`)
    if (faults.length === 0) sound.add(text)
    all.push(...faults)
    if (all.length > maxFaults) break
    await nextTurn()
  }
  return all
}

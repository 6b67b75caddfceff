import Joi from 'joi'
import { type HintTopic, hintTopics } from '#shared/domain/realtime/hints.ts'
import { maxStreamItems, maxStreamLists, realtimeTypes } from '#shared/domain/realtime/subscription.ts'
import { joi } from '../../schemas/joi.ts'
import { queryBoolean } from '../../schemas/query-schemas.ts'
import { includeGuardedSchema } from '../items/schemas.ts'

/** Query of GET /realtime; null or absent: all. */
export type RealtimeQuery = {
  eventTypes?: string[]
  topics?: HintTopic[]
  listIds?: string[] | null
  itemIds?: string[] | null
  after?: string
  includeData: boolean
  includeGuarded: boolean
}

const all = '*'
const longestResumeId = 80

export const realtimeQuery = joi.object<RealtimeQuery>({
  eventTypes: chosen(realtimeTypes, 'Types of changes'),
  topics: chosen(
    hintTopics,
    'Only in user mode, with or without `eventTypes`: topics of hints, also about lists without `realtime`',
  ),
  listIds: named(maxStreamLists, 'Ids or path names of lists'),
  itemIds: named(maxStreamItems, 'Ids or aliases of items, which need one list in `listIds`'),
  after: joi
    .string()
    .max(longestResumeId)
    .description('The `id` of the last frame that was seen; `last-event-id` takes precedence.'),
  includeData: queryBoolean().default(true).description('Whether items include their data.'),
  includeGuarded: includeGuardedSchema().default(false),
})

/** Some of these names, or all. */
function chosen(names: readonly string[], about: string): Joi.Schema {
  return joi
    .array()
    .check(
      (texts: string[], { error }) => {
        const entries = entriesOf(texts)
        if (entries.includes(all)) return [...names]
        const isKnown = entries.every((entry) => names.includes(entry))
        return isKnown && entries.length > 0 ? entries : error('types.base')
      },
      { description: `${about}, separated by commas, or ${all}: ${names.join(', ')}.` },
    )
    .items(Joi.string())
    .single()
    .messages({ 'types.base': `{{#label}} must be ${all}, or some of ${names.join(', ')}` })
}

function named(max: number, about: string): Joi.Schema {
  return joi
    .array()
    .check(
      (texts: string[], { error }) => {
        const refs = [...new Set(entriesOf(texts))]
        if (refs.length === 0 || refs.includes(all)) return null
        return refs.length > max ? error('named.many', { max }) : refs
      },
      { description: `${about}, separated by commas, at most ${max}; ${all} or absent: all.` },
    )
    .items(Joi.string())
    .single()
    .messages({ 'named.many': '{{#label}} must name at most {{#max}}' })
}

function entriesOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** What a stream sends. */
export const streamSchema = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  description: 'Server-sent events, as long as the connection lasts.',
} as const

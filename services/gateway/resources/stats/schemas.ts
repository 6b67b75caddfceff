import Joi from 'joi'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { joi } from '../../schemas/joi.ts'
import { arrayOf, count, flag, id, nullable, objectOf, oneOf, text, time } from '../../schemas/response-schemas.ts'
import { deliveryCauses } from '../deliveries/schemas.ts'

/** Query of every stats. */
export const statsQuery = joi.object<{ days: number }>({
  days: Joi.number()
    .integer()
    .min(1)
    .max(90)
    .default(7)
    .description('The days of UTC that are shown, today among them.'),
})

const date = { ...text, format: 'date', description: 'A day of UTC.' }
const ofDay = { ...count, description: 'How many there were on that day.' }
const total = { ...count, description: 'How many there are now; of events, how many are counted.' }
const common = {
  totalThisPeriod: { ...count, description: 'How many there were on these days.' },
  countedSince: {
    ...time,
    description: 'Where not all could be counted: what happened before this time is in no count.',
  },
}
const aboutMetrics = 'Each of the days, today last.'
const types: JsonSchema = {
  type: 'object',
  additionalProperties: count,
  description: 'How many events of each type there were, of types that there were.',
}

const createdStats = objectOf(
  { total, ...common, metrics: { ...arrayOf(objectOf({ date, count: ofDay })), description: aboutMetrics } },
  { title: 'CreatedStats', description: 'Things that were created, day by day.', optional: ['countedSince'] },
)

const eventStats = objectOf(
  {
    total,
    totalIsAtLeast: { ...flag, const: true, description: 'More events may exist than are counted.' },
    ...common,
    metrics: { ...arrayOf(objectOf({ date, count: ofDay, types })), description: aboutMetrics },
  },
  {
    title: 'EventStats',
    description: 'Events, day by day.',
    optional: ['totalIsAtLeast', 'countedSince'],
  },
)

/** How much happens in a list (contract 2.1). */
export const listStatsSchema = objectOf(
  { items: createdStats, indexes: createdStats, events: eventStats },
  { title: 'ListStats', description: 'How much happens in a list.' },
)

/** How much happens to anything else. */
export const statsSchema = objectOf({ events: eventStats }, { title: 'Stats', description: 'How much happens to it.' })

const ofHour = { ...count, description: 'How many there were in that hour.' }
const ended = objectOf({ succeeded: ofHour, failed: ofHour })

/** How much happens in an account. */
export const accountStatsSchema = objectOf(
  {
    hours: {
      ...arrayOf(
        objectOf({
          at: { ...time, description: 'The beginning of the hour.' },
          requests: {
            ...count,
            description:
              'How many requests of the account there were in that hour, those of this dashboard among them.',
          },
          changes: { ...count, description: 'How many changes of items there were in that hour.' },
          deliveries: { ...ended, description: 'Deliveries that were received, or failed for good.' },
          runs: { ...ended, description: 'Runs of flows; those with the status `refused` count as failed.' },
        }),
      ),
      description: 'The last 24 hours, the present one last.',
    },
    causes: {
      ...deliveryCauses,
      description: 'Why deliveries of these hours failed, the newest 1,000 of them, the most frequent cause first.',
    },
    runCauses: {
      ...arrayOf(
        objectOf({
          flowId: { ...id, description: 'The flow.' },
          status: { ...oneOf(['failed', 'refused']), description: 'How the runs ended.' },
          code: {
            ...nullable(text),
            description: 'The `code` of their error; null: they are of a version that kept it in the run alone.',
          },
          count: { ...count, description: 'How many they are.' },
        }),
      ),
      description:
        'Why runs of these hours have the status `failed` or `refused`, the newest 1,000 of each, the most frequent cause first; at most 20.',
    },
    lists: {
      ...arrayOf(
        objectOf({
          id: { ...id, description: 'The id of the list.' },
          changedAt: { ...time, description: 'The time of its newest event.' },
        }),
      ),
      description:
        'The lists that were changed last, themselves, their items or their indexes, as far as the newest 500 events show; at most 10.',
    },
  },
  { title: 'AccountStats', description: 'How much happened in an account, hour by hour.' },
)

import Joi from 'joi'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { joi } from '../../schemas/joi.ts'
import { arrayOf, count, flag, id, nullable, objectOf, oneOf, text, time } from '../../schemas/response-schemas.ts'
import { deliveryCauses } from '../deliveries/schemas.ts'

/** Query of all stats by day. */
export const statsQuery = joi.object<{ days: number }>({
  days: Joi.number().integer().min(1).max(90).default(7).description('The number of days in UTC, including today.'),
})

const date = { ...text, format: 'date', description: 'A day of UTC.' }
const ofDay = { ...count, description: 'The number on that day.' }
const total = { ...count, description: 'The number that exists now; for events, the number that was counted.' }
const common = {
  totalThisPeriod: { ...count, description: 'The number on these days.' },
  countedSince: {
    ...time,
    description: 'Present if not all could be counted: anything before this time is not counted.',
  },
}
const aboutMetrics = 'Each of the days, today last.'
const types: JsonSchema = {
  type: 'object',
  additionalProperties: count,
  description: 'The number of events of each type that occurred.',
}

const createdStats = objectOf(
  { total, ...common, metrics: { ...arrayOf(objectOf({ date, count: ofDay })), description: aboutMetrics } },
  { title: 'CreatedStats', description: 'Resources that were created, day by day.', optional: ['countedSince'] },
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

/** How much happens to an item, an index or an identity. */
export const statsSchema = objectOf(
  { events: eventStats },
  { title: 'Stats', description: 'How much happens to the resource.' },
)

const ofHour = { ...count, description: 'The number in that hour.' }
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
            description: 'The number of requests of the account in that hour, including those of the dashboard.',
          },
          changes: { ...count, description: 'The number of changes of items in that hour.' },
          deliveries: { ...ended, description: 'Deliveries that succeeded, or failed for good.' },
          runs: { ...ended, description: 'Runs of flows; those with the status `refused` count as failed.' },
        }),
      ),
      description: 'The last 24 hours, the current one last.',
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
            description:
              'The `code` of their error; null: they were recorded by a version that stored it in the run only.',
          },
          count: { ...count, description: 'The number of these runs.' },
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
        'The lists that changed last (themselves, their items or their indexes), at most 10, according to the newest 500 events.',
    },
  },
  { title: 'AccountStats', description: 'How much happened in an account, hour by hour.' },
)

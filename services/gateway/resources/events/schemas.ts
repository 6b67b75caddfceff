import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean, queryDate } from '../../http/query.ts'

/** Entries never change, so both orders are the same. */
const orders = ['createdAt', 'updatedAt']

const filters = { type: textFilterSchema(), startAt: queryDate(), endAt: queryDate(), includeSnapshot: queryBoolean() }

/** Query of GET /events. */
export const accountEventsQuery = pageQuerySchema({ orders, filters: { stream: textFilterSchema(), ...filters } })

/** Query of the events of one list, item or index. */
export const eventsQuery = pageQuerySchema({ orders, filters: { ...filters, includeGuarded: queryBoolean() } })

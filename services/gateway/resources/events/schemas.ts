import { pageQuery, textFilterShape } from '../../http/page-schemas.ts'
import { queryBoolean, queryDate } from '../../http/query.ts'

/** Entries never change: both orders are the same. */
const orders = ['createdAt', 'updatedAt']

const filters = { type: textFilterShape(), startAt: queryDate(), endAt: queryDate(), includeSnapshot: queryBoolean() }

/** Query of GET /events. */
export const accountEventsQuery = pageQuery({ orders, filters: { stream: textFilterShape(), ...filters } })

/** Query of the events of one list, item or index. */
export const eventsQuery = pageQuery({ orders, filters: { ...filters, includeGuarded: queryBoolean() } })

import Joi from 'joi'

/** The group of events of one commit, on the stream. */
export type EventGroup = { requestId: string; eventIds: string[] }
export const eventGroup = Joi.object<EventGroup, true>({
  requestId: Joi.string().allow('').required(),
  eventIds: Joi.array().items(Joi.string().required()).required(),
})

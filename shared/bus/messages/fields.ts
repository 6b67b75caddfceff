import Joi from 'joi'
import { hintTopics, maxHintIds } from '#shared/domain/realtime/hints.ts'

/** Parts that several messages share. */
export const text = Joi.string().max(4_096).required()
export const hash = Joi.string().hex().length(64).required()
export const id = Joi.string().max(36).required()
/** Epoch milliseconds. */
export const time = Joi.number().required()

/** Hints for the streams of one account. */
export const hintsOfAccount = Joi.array()
  .items(
    Joi.object({
      topic: Joi.valid(...hintTopics).required(),
      listId: id.optional(),
      webhookId: id.optional(),
      flowId: id.optional(),
      ids: Joi.array().items(id).max(maxHintIds).required(),
      more: Joi.valid(true),
    }),
  )
  .required()

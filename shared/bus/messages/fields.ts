import Joi from 'joi'

/** Parts that several messages share. */
export const text = Joi.string().max(4_096).required()
export const hash = Joi.string().hex().length(64).required()
export const id = Joi.string().max(36).required()
/** Epoch milliseconds. */
export const time = Joi.number().required()

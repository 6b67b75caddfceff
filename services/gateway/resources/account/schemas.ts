import Joi from 'joi'

/** Emails and passwords may have any form here: an impossible one gets the same response as a wrong one. */
export const loginBody = Joi.object({
  email: Joi.string().max(1_024).required(),
  password: Joi.string().max(4_096).required(),
})

export type LoginBody = { email: string; password: string }

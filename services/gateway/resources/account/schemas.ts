import Joi from 'joi'

/** No form is asked of an email or password here: whatever cannot be right is answered like whatever is wrong. */
export const loginBody = Joi.object({
  email: Joi.string().max(1_024).required(),
  password: Joi.string().max(4_096).required(),
})

export type LoginBody = { email: string; password: string }

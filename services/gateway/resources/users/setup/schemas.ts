import Joi from 'joi'
import { userFields } from '#shared/domain/user/fields.ts'
import { emailSchema, newPasswordSchema } from '../../../schemas/body-schemas.ts'
import { joi } from '../../../schemas/joi.ts'

/** Body of POST /auth/setup. The token may have any form: an impossible one gets the same response as an unknown one. */
export const setupBody = joi.object<{ setupToken: string; email: string; password: string }>({
  setupToken: Joi.string().allow('').max(1_024).required().description('The token in the set-up link.'),
  email: emailSchema().required().description(userFields.email.about),
  password: newPasswordSchema().required(),
})

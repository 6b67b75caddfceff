import Joi from 'joi'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import { emailErrors } from '#shared/domain/identity/user.ts'
import { domainText } from '../../../http/body-schemas.ts'

/** Body of POST /auth/setup. The token may have any form: an impossible one gets the same response as an unknown one. */
export const setupBody = Joi.object({
  setupToken: Joi.string().allow('').max(1_024).required(),
  email: domainText(emailErrors).required(),
  password: domainText(passwordErrors).required(),
})

export type SetupBody = { setupToken: string; email: string; password: string }

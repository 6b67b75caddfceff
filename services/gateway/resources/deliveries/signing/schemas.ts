import Joi from 'joi'
import { idText, textSchema } from '#services/gateway/schemas/body-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { arrayOf, flag, id, objectOf, oneOf, text, time } from '#services/gateway/schemas/response-schemas.ts'
import { bodyBytes, signingLimits } from '#shared/domain/limits.ts'
import { checkNames } from '#shared/domain/webhook/verification.ts'

/** Body of POST /webhooks/{webhook}/deliveries/sign. */
export const signBody = joi.object<{ deliveries: string[] }>({
  deliveries: Joi.array()
    .items(idText())
    .min(1)
    .max(signingLimits.maxDeliveries)
    .unique()
    .required()
    .description('The ids of the deliveries to sign.'),
})

const texts = { type: 'object', additionalProperties: text }

export const signedSchema = objectOf(
  {
    deliveries: {
      ...arrayOf(
        objectOf({
          id: { ...id, description: 'The delivery.' },
          url: { ...text, description: 'The URL of the webhook.' },
          headers: { ...texts, description: 'The headers of the request, generated now.' },
          omitted: {
            ...arrayOf(text),
            description: 'The names of the headers that are left out, because their values are not shown.',
          },
          expiresAt: { ...time, description: 'The time after which receivers reject the signatures.' },
        }),
      ),
      description: 'The deliveries as they would be sent now; `payload` of a delivery is the body.',
    },
  },
  { title: 'SignedDeliveries', description: 'Deliveries with fresh signatures.' },
)

/** Body of POST /webhooks/{webhook}/verify. */
export const verifyBody = joi.object<{ headers: Record<string, string>; body: string }>({
  headers: Joi.object()
    .pattern(Joi.string().max(256), textSchema(8_192))
    .max(signingLimits.maxHeaders)
    .required()
    .description('The headers that the receiver got, by name.'),
  body: textSchema(bodyBytes.other)
    .required()
    .description('The body that the receiver got, before anything parsed it.'),
})

export const verificationSchema = objectOf(
  {
    valid: { ...flag, description: 'Whether one of the signatures is right, and its time too.' },
    checks: {
      ...arrayOf(
        objectOf({
          name: { ...oneOf(checkNames), description: 'The part of the request.' },
          ok: { ...flag, description: 'Whether it is right.' },
          message: { ...text, description: 'A sentence for people about what was found.' },
        }),
      ),
      description: 'The findings, part by part.',
    },
  },
  { title: 'Verification', description: 'Whether a request is from this webhook, and why not.' },
)

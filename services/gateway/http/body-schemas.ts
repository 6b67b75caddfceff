import Joi from 'joi'
import { lengths, maxTags } from '#shared/domain/limits.ts'
import { tagPattern } from '#shared/domain/tags.ts'
import { isLongerThan } from '#shared/domain/text/code-points.ts'
import type { FieldError } from '#shared/errors.ts'

/** Text of at most `max` characters, without U+0000, which not every database can store. */
export function textSchema(max: number): Joi.StringSchema {
  return filledTextSchema(max).allow('')
}

/** The same, not empty. */
export function filledTextSchema(max: number): Joi.StringSchema {
  return Joi.string()
    .custom((text: string, { error }) => {
      if (isLongerThan(text, max)) return error('text.long', { max })
      return text.includes('\u0000') ? error('text.nul') : text
    })
    .messages({
      'text.long': '{{#label}} must be at most {{#max}} characters long',
      'text.nul': '{{#label}} must not contain U+0000',
    })
}

/** Text that is not empty and that a domain rule validates; its first error becomes the property's. */
export function domainText(errorsOf: (text: string, path: string) => FieldError[]): Joi.StringSchema {
  return Joi.string()
    .custom((text: string, { error }) => {
      const [broken] = errorsOf(text, '')
      return broken ? error('text.invalid', { reason: broken.message }) : text
    })
    .messages({ 'text.invalid': '{{#label}} {{#reason}}' })
}

export const descriptionSchema = (): Joi.StringSchema => textSchema(lengths.description)

/** Tags as they are sent (specification, Tags). */
export const tagsSchema = (): Joi.ArraySchema =>
  Joi.array()
    .max(maxTags)
    .items(Joi.string().pattern(new RegExp(tagPattern), 'tag'))

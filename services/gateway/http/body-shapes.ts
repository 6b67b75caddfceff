import Joi from 'joi'
import { isLongerThan } from '#shared/domain/characters.ts'
import { lengths, maxTags } from '#shared/domain/limits.ts'
import { tagPattern } from '#shared/domain/tags.ts'

/** Text for people, at most so many characters; without U+0000, which not every database can store. */
export function textShape(max: number): Joi.StringSchema {
  return Joi.string()
    .allow('')
    .custom((text: string, { error }) => {
      if (isLongerThan(text, max)) return error('text.long', { max })
      return text.includes('\u0000') ? error('text.nul') : text
    })
    .messages({
      'text.long': '{{#label}} must be at most {{#max}} characters long',
      'text.nul': '{{#label}} must not contain U+0000',
    })
}

export const descriptionShape = (): Joi.StringSchema => textShape(lengths.description)

/** Tags as they are sent (specification, Tags). */
export const tagsShape = (): Joi.ArraySchema =>
  Joi.array()
    .max(maxTags)
    .items(Joi.string().pattern(new RegExp(tagPattern), 'tag'))

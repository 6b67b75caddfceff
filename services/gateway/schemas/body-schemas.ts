import Joi from 'joi'
import type { TextRule } from '#shared/domain/fields/field.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { groupNameErrors, newGroupNamePattern } from '#shared/domain/group-name.ts'
import { idRule, isId } from '#shared/domain/id.ts'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import { lengths, maxTags, password } from '#shared/domain/limits.ts'
import { tagPattern } from '#shared/domain/tags.ts'
import { isLongerThan } from '#shared/domain/text/code-points.ts'
import { emailErrors } from '#shared/domain/user/user.ts'
import type { FieldError } from '#shared/errors.ts'
import { joi, requireOne, type SchemasOf } from './joi.ts'

/** Text of at most `max` characters, without U+0000, which not every database can store. */
export function textSchema(max: number): Joi.StringSchema {
  return filledTextSchema(max).allow('')
}

/** The same, but not empty. @param rule a pattern that it must match in addition */
export function filledTextSchema(max: number, rule?: TextRule): Joi.StringSchema {
  const pattern = rule && new RegExp(rule.pattern)
  return joi
    .string()
    .check(
      (text: string, { error }) => {
        if (isLongerThan(text, max)) return error('text.long', { max })
        if (text.includes('\u0000')) return error('text.nul')
        return pattern && !pattern.test(text) ? error('text.form', { expected: rule.message }) : text
      },
      { maxLength: max, pattern: rule?.pattern ?? '^[^\\u0000]*$' },
    )
    .messages({
      'text.long': '{{#label}} must be at most {{#max}} characters long',
      'text.nul': '{{#label}} must not contain U+0000',
      'text.form': '{{#label}} {{#expected}}',
    })
}

/**
 * Text that is not empty and that a domain rule validates; its first error becomes the property's.
 * @param printed the rule as far as JSON Schema can say it
 */
export function domainText(
  errorsOf: (text: string, path: string) => FieldError[],
  printed: JsonSchema,
): Joi.StringSchema {
  return joi
    .string()
    .check((text: string, { error }) => {
      const [broken] = errorsOf(text, '')
      return broken ? error('text.invalid', { reason: broken.message }) : text
    }, printed)
    .messages({ 'text.invalid': '{{#label}} {{#reason}}' })
}

/** The name of a group that may not exist yet, by the rules for new groups. */
export function newGroupSchema(): Joi.StringSchema {
  return domainText(groupNameErrors, { pattern: newGroupNamePattern, maxLength: lengths.group })
}

/** Text that `isValid` accepts. @param options.message the error, as a phrase after the property's name */
export function patternText(
  isValid: (text: string) => boolean,
  { message, ...printed }: { message: string; pattern?: string; format?: string; maxLength?: number },
): Joi.StringSchema {
  return joi
    .string()
    .check((text: string, { error }) => (isValid(text) ? text : error('text.form')), printed)
    .messages({ 'text.form': `{{#label}} ${message}` })
}

/** The id of any resource; text of another form is rejected. */
export const idText = (): Joi.StringSchema => patternText(isId, idRule)

export const emailSchema = (): Joi.StringSchema =>
  domainText(emailErrors, { maxLength: lengths.email, pattern: '^[^@]+@[^@]+$' })

/** A password that is set, not one that is compared. */
export const newPasswordSchema = (): Joi.StringSchema =>
  domainText(passwordErrors, {
    minLength: password.minLength,
    maxLength: password.maxLength,
  }).description('The new password; groups of identities may require more characters.')

/** A password that is compared: any form is accepted, and an impossible one gets the same response as a wrong one. */
export const givenPasswordSchema = (): Joi.StringSchema => Joi.string().allow('').max(4_096)

export const descriptionSchema = (): Joi.StringSchema => textSchema(lengths.description)

/** Tags as they are sent (specification, Tags). */
export const tagsSchema = (max: number = maxTags): Joi.ArraySchema =>
  Joi.array()
    .max(max)
    .items(Joi.string().pattern(new RegExp(tagPattern), 'tag'))

const nothingToChange = 'Name at least one property to change.'

/**
 * Body of an update: any of the fields, at least one.
 * @param required further properties, which name what is changed and do not count as fields
 */
export function updateSchema<Body>(fields: SchemasOf<Body>, required: Joi.SchemaMap = {}): Joi.ObjectSchema<Body> {
  return Joi.object({ ...required, ...fields })
    .min(Object.keys(required).length + 1)
    .messages({ 'object.min': nothingToChange })
}

const aboutCurrentPassword = 'The password as it is now; required to change the email or the password.'

/** Body of an update of oneself: any of the fields, at least one; some also need the current password. */
export function updateSelfSchema<Body extends { currentPassword?: string }>(
  fields: SchemasOf<Omit<Body, 'currentPassword'>>,
): Joi.ObjectSchema<Body> {
  const names = Object.keys(fields)
  return joi
    .object({ ...fields, currentPassword: givenPasswordSchema().description(aboutCurrentPassword) })
    .prints(requireOne('anyOf', names))
    .or(...names)
    .messages({ 'object.missing': nothingToChange })
}

import Joi from 'joi'
import { permissionErrors, permissionRulesSchema } from '#shared/domain/access/permission-rule.ts'
import type { Body, Field, Fields, NamesIn } from '#shared/domain/fields/field.ts'
import { fieldSchema as toJsonSchema } from '#shared/domain/fields/json-schema.ts'
import { fieldOf, namesIn } from '#shared/domain/fields/values.ts'
import { lengths } from '#shared/domain/limits.ts'
import { cidrForm, parseCidr } from '#shared/net/cidr.ts'
import { filledTextSchema, idText, patternText, tagsSchema, textSchema } from './body-schemas.ts'
import { joi } from './joi.ts'
import { queryDate } from './query-schemas.ts'

/** The schemas of the fields that a body may set. Rules that depend on other fields are added where the body is declared. */
export function fieldSchemas<F extends Fields, B extends Body>(fields: F, body: B): Record<NamesIn<F, B>, Joi.Schema> {
  const schemas = namesIn(fields, body).map((name) => [name, fieldSchema(fieldOf(fields, name))])
  return Object.fromEntries(schemas)
}

function fieldSchema(field: Field): Joi.Schema {
  const schema = valueSchema(field).description(field.about)
  return field.nullable ? schema.allow(null) : schema
}

function valueSchema(field: Field): Joi.Schema {
  switch (field.kind) {
    case 'flag':
      return Joi.boolean()
    case 'integer':
      return integerSchema(field)
    case 'time':
      return queryDate()
    case 'text':
      return fieldTextSchema(field)
    case 'choice':
      return Joi.valid(...field.of)
    case 'list':
      return listSchema(field)
    case 'json':
      // Its source text is validated by the route.
      return joi.any().prints(toJsonSchema(field))
    case 'rules':
      return rulesSchema()
  }
}

function integerSchema({ min, max }: Extract<Field, { kind: 'integer' }>): Joi.Schema {
  const integer = min === undefined ? Joi.number().integer() : Joi.number().integer().min(min)
  return max === undefined ? integer : integer.max(max)
}

function fieldTextSchema({ min, max, rule }: Extract<Field, { kind: 'text' }>): Joi.Schema {
  const text = filledTextSchema(max, rule)
  const mayBeEmpty = min === undefined && (!rule || new RegExp(rule.pattern).test(''))
  return mayBeEmpty ? text.allow('') : text
}

function listSchema({ of, max }: Extract<Field, { kind: 'list' }>): Joi.Schema {
  if (of === 'tag') return tagsSchema(max)
  return Joi.array().max(max).items(entrySchema(of))
}

function entrySchema(of: Exclude<Extract<Field, { kind: 'list' }>['of'], 'tag'>): Joi.Schema {
  if (of === 'id') return idText()
  if (of === 'cidr') return cidrText()
  return of === 'text' ? textSchema(lengths.name) : Joi.valid(...of)
}

function cidrText(): Joi.Schema {
  const isCidr = (text: string) => parseCidr(text) !== null
  return patternText(isCidr, { message: `must be ${cidrForm}`, maxLength: lengths.cidr })
}

/** Each error of a rule has its own path. */
function rulesSchema(): Joi.Schema {
  return joi
    .array()
    .check((rules: unknown, helpers) => {
      const { state, errorsArray } = helpers as unknown as Internals
      const errors = permissionErrors(rules, '')
      if (errors.length === 0) return rules
      const reported = errorsArray()
      for (const { path, message } of errors) {
        const place = state.localize([...state.path, ...stepsOf(path)])
        reported.push(helpers.error('rules.invalid', { reason: message }, place))
      }
      return reported
    }, permissionRulesSchema)
    .messages({ 'rules.invalid': '{{#label}} {{#reason}}' })
}

function stepsOf(path: string): Step[] {
  const steps = path.split('.').filter((step) => step !== '')
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** Properties of joi's helpers that its types do not declare: the place of the value, and a way to return several errors. */
type Internals = {
  state: { path: readonly Step[]; localize(path: readonly Step[]): Joi.State }
  errorsArray(): Joi.ErrorReport[]
}
type Step = string | number

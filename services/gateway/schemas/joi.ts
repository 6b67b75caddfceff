import Joi from 'joi'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'

/** Converts a value that passes, or returns `helpers.error(…)`. */
type Check = (value: never, helpers: Joi.CustomHelpers) => unknown

type Checked<Schema> = Schema & {
  /**
   * Like `custom`, of which joi prints nothing.
   * @param printed the bounds that `check` has, for the printed JSON Schema
   */
  check(check: Check, printed: JsonSchema): Schema
}

type Printed<Schema> = Schema & {
  /** Adds what joi does not print of what is validated elsewhere, or between properties, or changes what it prints. */
  prints(printed: JsonSchema | Change): Schema
}

type CheckedRoot = Omit<Joi.Root, 'any' | 'string' | 'array' | 'object'> & {
  any(): Printed<Joi.AnySchema>
  string(): Checked<Joi.StringSchema>
  array(): Checked<Joi.ArraySchema>
  object(keys: Joi.SchemaMap): Printed<Joi.ObjectSchema>
  /** An object of type `T`: the compiler holds the names of `keys` to those of `T`. */
  object<T>(keys: SchemasOf<T>): Printed<Joi.ObjectSchema<T>>
}

/** A schema for each property of an object; of a union, for each property of any of its members. */
export type SchemasOf<T> = { readonly [Name in T extends unknown ? keyof T : never]-?: Joi.Schema }

type Change = (schema: JsonSchema) => JsonSchema
type Rule = { args: { check: Check; printed: JsonSchema | Change } }

const print = ({ args: { printed } }: Rule, schema: JsonSchema): JsonSchema =>
  typeof printed === 'function' ? printed(schema) : { ...schema, ...printed }

/** joi with rules that say what is printed of them, so that the API's description has every bound. */
export const joi: CheckedRoot = Joi.extend(
  {
    type: /^(string|array)$/,
    rules: {
      check: {
        args: ['check', 'printed'],
        method(check: Check, printed: JsonSchema) {
          return this.$_addRule({ name: 'check', args: { check, printed } })
        },
        validate: (value: never, helpers: Joi.CustomHelpers, { check }: Rule['args']) => check(value, helpers),
        jsonSchema: print,
      },
    },
  } as Joi.Extension,
  {
    type: /^(any|object)$/,
    rules: {
      prints: {
        args: ['printed'],
        method(printed: JsonSchema | Change) {
          return this.$_addRule({ name: 'prints', args: { printed } })
        },
        validate: (value: unknown) => value,
        jsonSchema: print,
      },
    },
  } as Joi.Extension,
)

/**
 * For `prints`: that one of these properties is required, and with `oneOf` none of the others allowed. Each choice is a whole
 * object, because generators of types ignore `required` without its properties.
 */
export function requireOne(keyword: 'anyOf' | 'oneOf', names: readonly string[]): Change {
  return ({ type, properties, required = [], ...keywords }) => {
    const choice = (name: string) => {
      const others = keyword === 'oneOf' ? names.filter((other) => other !== name) : []
      const left = Object.entries(properties as Record<string, JsonSchema>)
        .filter(([property]) => !others.includes(property))
        .map(([property, schema]) => [property, onlyChoice(schema)])
      return { type, properties: Object.fromEntries(left), required: [...(required as string[]), name], ...keywords }
    }
    return { type, [keyword]: names.map(choice) }
  }
}

/** joi prints a choice of one for a `when` that only says whether the property is required. */
function onlyChoice(schema: JsonSchema): JsonSchema {
  const [first, ...others] = (schema.anyOf as JsonSchema[] | undefined) ?? []
  return first && others.length === 0 ? first : schema
}

/** A joi schema as JSON Schema of draft 2020-12: what it accepts, before conversions. */
export function printSchema(schema: Joi.Schema): JsonSchema {
  return (schema as unknown as Printable)['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
}

type Printable = { '~standard': { jsonSchema: { input(options: { target: string }): JsonSchema } } }

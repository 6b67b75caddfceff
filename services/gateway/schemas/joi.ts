import Joi from 'joi'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'

/** Converts a value that passes, or returns `helpers.error(…)`. */
type Check = (value: never, helpers: Joi.CustomHelpers) => unknown

type Checked<Schema> = Schema & {
  /**
   * Like `custom`, but with JSON Schema: joi prints nothing for `custom`.
   * @param printed the bounds that `check` enforces, as JSON Schema
   */
  check(check: Check, printed: JsonSchema): Schema
}

type Printed<Schema> = Schema & {
  /**
   * Changes the printed JSON Schema: adds keywords for rules that are validated elsewhere or between properties, which joi does not
   * print, or replaces it with the result of a function.
   */
  prints(printed: JsonSchema | Change): Schema
}

type CheckedRoot = Omit<Joi.Root, 'any' | 'string' | 'array' | 'object'> & {
  any(): Printed<Joi.AnySchema>
  string(): Checked<Joi.StringSchema>
  array(): Checked<Joi.ArraySchema>
  object(keys: Joi.SchemaMap): Printed<Joi.ObjectSchema>
  /** An object of type `T`: the compiler checks that `keys` has the names of `T`. */
  object<T>(keys: SchemasOf<T>): Printed<Joi.ObjectSchema<T>>
}

/** A schema for each property of an object; of a union, for each property of any of its members. */
export type SchemasOf<T> = { readonly [Name in T extends unknown ? keyof T : never]-?: Joi.Schema }

type Change = (schema: JsonSchema) => JsonSchema
type Rule = { args: { check: Check; printed: JsonSchema | Change } }

const print = ({ args: { printed } }: Rule, schema: JsonSchema): JsonSchema =>
  typeof printed === 'function' ? printed(schema) : { ...schema, ...printed }

/** joi with rules that declare their JSON Schema, so that the API's description has every bound. */
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
 * For `prints`: one of these properties is required; with `oneOf`, the others are not allowed. Each choice is a whole
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

/** Unwraps the `anyOf` with a single schema that joi prints for a `when` that only decides whether the property is required. */
function onlyChoice(schema: JsonSchema): JsonSchema {
  const [first, ...others] = (schema.anyOf as JsonSchema[] | undefined) ?? []
  return first && others.length === 0 ? first : schema
}

/** A joi schema as JSON Schema of draft 2020-12, for values before conversions. */
export function printSchema(schema: Joi.Schema): JsonSchema {
  return (schema as unknown as Printable)['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
}

type Printable = { '~standard': { jsonSchema: { input(options: { target: string }): JsonSchema } } }

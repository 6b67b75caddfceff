import { own } from '#shared/json/own.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import type { Shape } from './field.ts'

/** The bounds that a schema sets for a value, in a few words; null: it sets none. */
export function boundsText(schema: SchemaObject, kind: Shape['kind']): string | null {
  if (kind === 'number') return numberBounds(schema)
  if (kind === 'text') return rangeText(own(schema, 'minLength'), own(schema, 'maxLength'), 'characters')
  return kind === 'array' ? rangeText(own(schema, 'minItems'), own(schema, 'maxItems'), 'elements') : null
}

function numberBounds(schema: SchemaObject): string | null {
  const isWhole = [schema.type].flat().includes('integer') && ![schema.type].flat().includes('number')
  const least = own(schema, 'minimum')
  const most = own(schema, 'maximum')
  const above = own(schema, 'exclusiveMinimum')
  const below = own(schema, 'exclusiveMaximum')
  const step = own(schema, 'multipleOf')
  const words = [
    isWhole ? 'whole number' : '',
    rangeText(least, most, '') ?? '',
    above === undefined ? '' : `greater than ${above}`,
    below === undefined ? '' : `less than ${below}`,
    step === undefined ? '' : `a multiple of ${step}`,
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : null
}

/** Prints the numbers with the digits that they have in the schema. */
function rangeText(least: unknown, most: unknown, what: string): string | null {
  const of = what === '' ? '' : ` ${what}`
  const isOpen = least === undefined || (what !== '' && least === 0)
  if (isOpen) return most === undefined ? null : `at most ${most}${of}`
  return most === undefined ? `at least ${least}${of}` : `${least} to ${most}${of}`
}

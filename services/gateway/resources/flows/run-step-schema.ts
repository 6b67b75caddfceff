import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { nodeTypes } from '#shared/domain/flow/language/properties.ts'
import { count, nullable, objectOf, oneOf, text } from '../../schemas/response-schemas.ts'

/** A node that a run has visited. */
export const runStepSchema = objectOf(
  {
    node: { ...text, description: 'The node that was visited.' },
    type: { ...oneOf(nodeTypes), description: 'The type of the node.' },
    inputs: {
      ...anyObject,
      description: 'The values of its expressions, by property; below `each`, those of the last element.',
    },
    result: { description: 'The value of `steps.<id>`.' },
    port: { ...nullable(text), description: 'The port at which the run continued; null: it ended here.' },
    fuel: { ...count, description: 'The number of steps that its expressions took.' },
    durationMs: {
      type: 'number',
      description:
        'Its duration in milliseconds, to the thousandth, including its reads; absent in tests, and in runs of earlier versions.',
    },
    cut: { const: true, description: 'Present if a value has more than 4 KiB: null replaces it.' },
  },
  { optional: ['durationMs', 'cut'] },
)

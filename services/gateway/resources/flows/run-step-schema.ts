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
      description: 'The values that its expressions came to, by property; below `each` of the last element.',
    },
    result: { description: 'The value of `steps.<id>`.' },
    port: { ...nullable(text), description: 'The port at which the run went on; null: it ended here.' },
    fuel: { ...count, description: 'The steps that its expressions took.' },
    durationMs: {
      type: 'number',
      description:
        'The milliseconds that it took, to the thousandth, with its reads; absent in tests, and in earlier runs.',
    },
    cut: { const: true, description: 'Present when a value has more than 4 KiB, and null stands for it.' },
  },
  { optional: ['durationMs', 'cut'] },
)

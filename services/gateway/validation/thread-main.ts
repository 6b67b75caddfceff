import { parentPort } from 'node:worker_threads'
import { checkDefinition } from '#shared/domain/flow/definition.ts'
import type { FieldError } from '#shared/errors.ts'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'
import type { Message, NewSchema } from './messages.ts'

/** The validation thread: runs one task after the other, each with the full budget of a validation. */
const compiled = new Map<number, ReturnType<typeof compileSchema>>()

function run(message: Message): unknown {
  if (message.kind === 'flow') return checkDefinition(message, message, message.stepsOf)
  if (message.kind === 'check') return checkSchemas(message.schemas)
  for (const schema of message.forget) compiled.delete(schema)
  if (message.text !== null) compiled.set(message.schema, compileSchema(message.text))
  const validate = compiled.get(message.schema)
  if (!validate) throw new Error(`schema ${message.schema} was never sent`)
  return validate(JSON.parse(message.data), message.data)
}

/** Lists of one document often have the same schema: a valid schema is checked once. */
function checkSchemas(schemas: readonly NewSchema[]): FieldError[] {
  const valid = new Set<string>()
  return schemas.flatMap(({ text, path }) => {
    const errors = valid.has(text) ? [] : checkSchema(text, path)
    if (errors.length === 0) valid.add(text)
    return errors
  })
}

parentPort?.on('message', (message: Message) => parentPort?.postMessage(run(message)))

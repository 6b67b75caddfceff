import { setImmediate as nextTick } from 'node:timers/promises'
import type { Fault } from '#shared/errors.ts'
import type { SchemaFault } from '#shared/json-schema/errors.ts'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { maxSchemaBytes } from '#shared/json-schema/limits.ts'
import { compileQuickValidator, isLightSchema, type QuickValidator } from '#shared/json-schema/quick-validator.ts'
import type { BackgroundValidator } from './background-validator.ts'
import type { NewSchema } from './messages.ts'

/**
 * Validates by strangers' schemas without keeping the event loop: here what takes 50 ms at most, and in the validation thread
 * all the rest. The answers are the same.
 */
export type SchemaValidator = {
  /** What validates data by the schema of a list of an account, which `check` found nothing in. Compiled when first asked. */
  validator(accountId: string, schema: string): Validator
  /**
   * Everything that is wrong with new schemas, or at least `most` faults of it.
   * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.ask` does
   */
  check(accountId: string, schemas: readonly NewSchema[], most: number): Promise<Fault[]>
}

/**
 * The faults of data: its source text, and the value that was parsed from it.
 * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.ask` does
 */
export type Validator = (text: string, value: unknown) => readonly SchemaFault[] | Promise<readonly SchemaFault[]>

/** Longer data, and schemas that are longer together, go to the thread at once: they are seldom quick to validate. */
const mostCharacters = 64 * 1024

export function createSchemaValidator({ ask }: Pick<BackgroundValidator, 'ask'>): SchemaValidator {
  function validator(accountId: string, schema: string): Validator {
    let quick: QuickValidator | null | undefined
    const inThread = async (data: string) => (await ask(accountId, { kind: 'validate', schema, data })) as SchemaFault[]

    /** In a tick of its own: the one before has compiled and validated. */
    async function explain(validate: QuickValidator, text: string, value: unknown): Promise<SchemaFault[]> {
      await nextTick()
      return validate.explain(value) ?? inThread(text)
    }

    return (text, value) => {
      if (text.length > mostCharacters) return inThread(text)
      if (quick === undefined) quick = isLightSchema(schema) ? compileQuickValidator(schema) : null
      const matches = quick?.matches(value) ?? null
      if (matches) return noFaults
      return quick === null || matches === null ? inThread(text) : explain(quick, text, value)
    }
  }

  async function check(accountId: string, schemas: readonly NewSchema[], most: number): Promise<Fault[]> {
    const all: Fault[] = []
    const sound = new Set<string>()
    for (const batch of batches(schemas)) {
      const fresh = batch.schemas.filter(({ text }) => !sound.has(text))
      if (fresh.length === 0) continue
      const faults = batch.here
        ? await checkHere(fresh)
        : ((await ask(accountId, { kind: 'check', schemas: fresh })) as Fault[])
      if (faults.length === 0) for (const { text } of fresh) sound.add(text)
      all.push(...faults)
      if (all.length >= most) break
    }
    return all
  }

  return { validator, check }
}

const noFaults: readonly SchemaFault[] = []

/** Others are served before. */
async function checkHere(schemas: readonly NewSchema[]): Promise<Fault[]> {
  await nextTick()
  return schemas.flatMap(({ text, path }) => checkSchema(text, path))
}

type Batch = { here: boolean; schemas: NewSchema[] }

/** What the thread checks at once takes a few seconds at worst. */
const mostTogether = 100

/** One light schema at a time to be checked here; for the thread so many that they are no longer than one may be. */
function batches(schemas: readonly NewSchema[]): Batch[] {
  const few = lengthOf(schemas) <= mostCharacters
  const made: Batch[] = []
  let open: Batch | null = null
  for (const schema of schemas) {
    const here = few && isLightSchema(schema.text)
    const fits =
      open && open.schemas.length < mostTogether && lengthOf(open.schemas) + schema.text.length <= maxSchemaBytes
    if (!here && fits) {
      open?.schemas.push(schema)
      continue
    }
    const batch = { here, schemas: [schema] }
    made.push(batch)
    open = here ? null : batch
  }
  return made
}

function lengthOf(schemas: readonly NewSchema[]): number {
  return schemas.reduce((sum, { text }) => sum + text.length, 0)
}

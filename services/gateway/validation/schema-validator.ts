import { setImmediate as nextTick } from 'node:timers/promises'
import type { FieldError } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
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
   * Everything that is wrong with new schemas, or at least `most` errors of it.
   * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.run` does
   */
  check(accountId: string, schemas: readonly NewSchema[], most: number): Promise<FieldError[]>
}

/**
 * The errors of data: its source text, and the value that was parsed from it.
 * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.run` does
 */
export type Validator = (text: string, value: unknown) => readonly DataError[] | Promise<readonly DataError[]>

/** Longer data, and schemas that are longer together, go to the thread at once: they are seldom quick to validate. */
const mostCharacters = 64 * 1024

export function createSchemaValidator({ run }: Pick<BackgroundValidator, 'run'>): SchemaValidator {
  function validator(accountId: string, schema: string): Validator {
    let quick: QuickValidator | null | undefined
    const inThread = async (data: string) => (await run(accountId, { kind: 'validate', schema, data })) as DataError[]

    /** In a tick of its own: the one before has compiled and validated. */
    async function explain(validate: QuickValidator, text: string, value: unknown): Promise<DataError[]> {
      await nextTick()
      return validate.explain(value) ?? inThread(text)
    }

    return (text, value) => {
      if (text.length > mostCharacters) return inThread(text)
      if (quick === undefined) quick = isLightSchema(schema) ? compileQuickValidator(schema) : null
      const matches = quick?.matches(value) ?? null
      if (matches) return noErrors
      return quick === null || matches === null ? inThread(text) : explain(quick, text, value)
    }
  }

  async function check(accountId: string, schemas: readonly NewSchema[], most: number): Promise<FieldError[]> {
    const all: FieldError[] = []
    const sound = new Set<string>()
    for (const batch of batches(schemas)) {
      const fresh = batch.schemas.filter(({ text }) => !sound.has(text))
      if (fresh.length === 0) continue
      const errors = batch.here
        ? await checkHere(fresh)
        : ((await run(accountId, { kind: 'check', schemas: fresh })) as FieldError[])
      if (errors.length === 0) for (const { text } of fresh) sound.add(text)
      all.push(...errors)
      if (all.length >= most) break
    }
    return all
  }

  return { validator, check }
}

const noErrors: readonly DataError[] = []

/** Others are served before. */
async function checkHere(schemas: readonly NewSchema[]): Promise<FieldError[]> {
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

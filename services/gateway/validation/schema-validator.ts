import { createHash } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createLruMap } from '#shared/admission/lru-map.ts'
import type { FieldError } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { maxSchemaBytes } from '#shared/json-schema/limits.ts'
import { compileQuickValidator, isLightSchema, type QuickValidator } from '#shared/json-schema/quick-validator.ts'
import type { BackgroundValidator } from './background-validator.ts'
import type { NewSchema } from './messages.ts'

/**
 * Validates by clients' schemas without blocking the event loop: work of at most 50 ms is done here, the rest in the
 * validation thread. The results are the same.
 */
export type SchemaValidator = {
  /** A validator of data by an account's schema, which must be valid (see `check`). Compiled on first use. */
  validator(accountId: string, schema: string): Validator
  /**
   * The errors of new schemas; at least the first `max` of them.
   * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.run` does
   */
  check(accountId: string, schemas: readonly NewSchema[], max: number): Promise<FieldError[]>
}

/**
 * Returns the errors of data.
 * @param text its source text, from which `value` was parsed
 * @throws SERVICE_UNAVAILABLE as `BackgroundValidator.run` does
 */
export type Validator = (text: string, value: unknown) => readonly DataError[] | Promise<readonly DataError[]>

/** Longer data, and schemas with more characters in total, go directly to the thread: they are rarely quick to validate. */
const maxCharacters = 64 * 1024

export function createSchemaValidator({ run }: Pick<BackgroundValidator, 'run'>): SchemaValidator {
  const valid = createLruMap<true>(10_000)

  function validator(accountId: string, schema: string): Validator {
    let quick: QuickValidator | null | undefined
    const inThread = async (data: string) => (await run(accountId, { kind: 'validate', schema, data })) as DataError[]

    /** In a tick of its own, because compiling and validating have used up the current one. */
    async function explain(validate: QuickValidator, text: string, value: unknown): Promise<DataError[]> {
      await nextTick()
      return validate.explain(value, text) ?? inThread(text)
    }

    return (text, value) => {
      if (text.length > maxCharacters) return inThread(text)
      if (quick === undefined) quick = isLightSchema(schema) ? compileQuickValidator(schema) : null
      const matches = quick?.matches(value, text) ?? null
      if (matches) return noErrors
      return quick === null || matches === null ? inThread(text) : explain(quick, text, value)
    }
  }

  async function check(accountId: string, schemas: readonly NewSchema[], max: number): Promise<FieldError[]> {
    const all: FieldError[] = []
    const known = knownOf(accountId)
    for (const batch of batches(schemas.filter(({ text }) => !known.isValid(text)))) {
      const fresh = batch.schemas.filter(({ text }) => !known.isValid(text))
      if (fresh.length === 0) continue
      const errors = batch.here
        ? await checkHere(fresh)
        : ((await run(accountId, { kind: 'check', schemas: fresh })) as FieldError[])
      if (errors.length === 0) for (const { text } of fresh) known.setValid(text)
      all.push(...errors)
      if (all.length >= max) break
    }
    return all
  }

  /** Lists of one document often have the same schema, and a document is often sent again: a valid schema is checked once. */
  function knownOf(accountId: string) {
    const here = new Map<string, boolean>()
    return {
      isValid(text: string): boolean {
        const isValid = here.get(text) ?? valid.has(digestOf(accountId, text))
        here.set(text, isValid)
        return isValid
      },
      setValid(text: string): void {
        here.set(text, true)
        valid.set(digestOf(accountId, text), true)
      },
    }
  }

  return { validator, check }
}

/** Includes the account, so that response times do not reveal to another account that it has the same schema. */
function digestOf(accountId: string, schema: string): string {
  return createHash('sha256').update(`${accountId} ${schema}`).digest('base64')
}

const noErrors: readonly DataError[] = []

/** In a tick of its own, so that other requests are served first. */
async function checkHere(schemas: readonly NewSchema[]): Promise<FieldError[]> {
  await nextTick()
  return schemas.flatMap(({ text, path }) => checkSchema(text, path))
}

type Batch = { here: boolean; schemas: NewSchema[] }

/** Checking this many at once takes the thread a few seconds at worst. */
const maxBatch = 100

/**
 * Light schemas one by one, to be checked here, if the schemas are short in total; others in batches of at most `maxBatch` schemas and
 * the length of the longest allowed schema.
 */
function batches(schemas: readonly NewSchema[]): Batch[] {
  const short = lengthOf(schemas) <= maxCharacters
  const all: Batch[] = []
  let open: Batch | null = null
  for (const schema of schemas) {
    const here = short && isLightSchema(schema.text)
    const fits = open && open.schemas.length < maxBatch && lengthOf(open.schemas) + schema.text.length <= maxSchemaBytes
    if (!here && fits) {
      open?.schemas.push(schema)
      continue
    }
    const batch = { here, schemas: [schema] }
    all.push(batch)
    open = here ? null : batch
  }
  return all
}

function lengthOf(schemas: readonly NewSchema[]): number {
  return schemas.reduce((sum, { text }) => sum + text.length, 0)
}

import { dateFunctions } from './dates.ts'
import type { ExpressionFunction } from './function.ts'
import { kindFunctions } from './kinds.ts'
import { listFunctions } from './lists.ts'
import { numberFunctions } from './numbers.ts'
import { objectFunctions } from './objects.ts'
import { textFunctions } from './texts.ts'

/** All functions that expressions can call, by name. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  [listFunctions, objectFunctions, textFunctions, numberFunctions, dateFunctions, kindFunctions].flatMap((some) =>
    Object.entries(some),
  ),
)

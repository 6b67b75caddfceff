import { checkTexts } from './check-texts.ts'
import { flowCompletion } from './flow-completion.ts'
import { testsCompletion } from './tests-completion.ts'

/** A separate script, loaded with the first opened flow. It has the same rules by which the service reads flows. */
export const flowLanguage = { checkTexts, flowCompletion, testsCompletion }

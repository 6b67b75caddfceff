import { checkTexts } from './check-texts.ts'
import { flowCompletion } from './flow-completion.ts'
import { testsCompletion } from './tests-completion.ts'

/** A script of its own, which comes with the first flow that is opened: the same rules by which the service reads flows. */
export const flowLanguage = { checkTexts, flowCompletion, testsCompletion }

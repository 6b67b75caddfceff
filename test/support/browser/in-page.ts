import type { Page } from 'playwright-core'

/**
 * The value of an expression in a page, as JSON; a promise is awaited. It is evaluated by the debugger, which the content security
 * policy does not block, and is a text, because the tests do not have the types of a browser.
 * @throws Error with the error of the expression
 */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  const session = await page.context().newCDPSession(page)
  try {
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  } finally {
    await session.detach()
  }
}

import type { OwnApiToken } from './types/resources.ts'
import type { PermissionRule } from './types/rules.ts'

/** Warns about a token that may do everything in a web page, where anyone can read it. */
export async function warnOfTokenThatMayDoEverything(ownToken: Promise<OwnApiToken>): Promise<void> {
  try {
    const { token } = await ownToken
    if (!token.permissions.some(allowsEverything)) return
    // biome-ignore lint/suspicious/noConsole: it is for the developer of the page
    console.warn(
      `listd: anyone who opens this page can do everything with the API token "${token.name}". Use one that allows only what the page needs.`,
    )
  } catch {
    // A call with the token fails with the reason why it cannot be used.
  }
}

function allowsEverything({ mode, action, ...selectors }: PermissionRule): boolean {
  return mode === 'allow' && action === '*' && Object.keys(selectors).length === 0
}

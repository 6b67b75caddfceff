import type { ApiToken, ApiTokenFields } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { useEdits } from '../../forms/use-edits.ts'

/** What can be set of a token. */
type TokenDraft = Required<ApiTokenFields>

export type TokenForm = ReturnType<typeof useTokenForm>

/** A token as it is edited; nothing is sent before `save`. */
export function useTokenForm(token: ApiToken) {
  return useEdits({
    stored: token as TokenDraft,
    write: (changes: Partial<TokenDraft>) => account.tokens.update(token.id, changes),
    said: 'The token was saved.',
    stale: 'token',
  })
}

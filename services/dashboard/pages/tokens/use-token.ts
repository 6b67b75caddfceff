import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { ApiToken } from '#client/src/resources.ts'
import type { ApiTokenFields } from '#client/src/user-resources.ts'
import { account } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'

/** What can be set of a token. */
export type TokenDraft = Required<ApiTokenFields>

/** A token as it is edited; nothing is sent before `save`. */
export function useTokenDraft(token: ApiToken) {
  const [edits, setEdits] = useState<Partial<TokenDraft>>({})
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const { name, description, tags, permissions, ips, expiresAt, rateLimit, activated } = token
  const stored: TokenDraft = { name, description, tags, permissions, ips, expiresAt, rateLimit, activated }
  const draft: TokenDraft = { ...stored, ...edits }
  const changes: Partial<TokenDraft> = Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => {
      return JSON.stringify(value) !== JSON.stringify(stored[field as keyof TokenDraft])
    }),
  )
  const save = async () => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await account.tokens.update(token.id, changes)
      setEdits({})
      announce('The token was saved.')
      refresh('token')
    } catch (failure) {
      setError(toListdError(failure))
    }
    setBusy(false)
  }
  const discard = () => {
    setEdits({})
    setError(undefined)
  }
  const edit = (more: Partial<TokenDraft>) => setEdits((now) => ({ ...now, ...more }))
  return { draft, changes, edit, save, discard, busy, error }
}

import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { OwnUserChange } from '#client/src/user-resources.ts'
import { account } from '../../api/client.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { sentence } from '../../parts/text.tsx'

/** What the forms about the user share: sending a change, and what its answer says of their fields. */
export function useOwnUserForm() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const problems = error ? ownUserProblems(error) : new Map<string, string>()
  /** @returns whether it was stored */
  const send = async (change: OwnUserChange, said: string): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await account.auth.update(change)
      announce(said)
      refresh('self')
      refresh('sessions')
      return true
    } catch (failure) {
      setError(toListdError(failure))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problems, send, other: problems.size > 0 ? undefined : error }
}

/** What an answer says of the fields of the user. */
function ownUserProblems(error: ListdError): ReadonlyMap<string, string> {
  if (error.name === 'IDENTITY_NOT_AUTHENTICATED') {
    return new Map([['currentPassword', 'This is not your password.']])
  }
  if (error.name === 'IDENTITY_UNABLE_TO_CREATE') {
    return new Map([['email', 'Another user of this server has this e-mail.']])
  }
  return new Map([...fieldErrors(error)].map(([field, message]) => [field, sentence(message)]))
}

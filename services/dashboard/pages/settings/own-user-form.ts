import type { ListdError } from '#client/src/error.ts'
import type { OwnUserChange } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { useSaving } from '../../forms/use-saving.ts'
import { sentence } from '../../parts/display/text.tsx'

/** The shared part of the forms about the user: it sends a change, and assigns errors to their fields. */
export function useOwnUserForm() {
  const { run, ...saving } = useSaving(ownUserProblems)
  /** @returns whether it was stored */
  const send = (change: OwnUserChange, said: string): Promise<boolean> =>
    run(() => account.auth.update(change), { said, stale: ['self', 'sessions'] })
  return { send, ...saving }
}

/** The errors of a response, by field of the user. */
function ownUserProblems(error: ListdError): ReadonlyMap<string, string> {
  if (error.name === 'IDENTITY_NOT_AUTHENTICATED') {
    return new Map([['currentPassword', 'This is not your password.']])
  }
  if (error.name === 'IDENTITY_UNABLE_TO_CREATE') {
    return new Map([['email', 'Another user of this server has this e-mail.']])
  }
  return new Map([...fieldErrors(error)].map(([field, message]) => [field, sentence(message)]))
}

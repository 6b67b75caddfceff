import { type Cast, password } from './cast.ts'

const email = 'ada@listd.example'

/** Groups, and the identities that the account manages. */
export async function callManagement({ user, token }: Cast): Promise<void> {
  const { json: group } = await user('POST', '/identity-groups', { body: { name: 'staff', requireEmail: true } })
  await user('GET', '/identity-groups?name=staff')
  await user('GET', '/identity-groups/staff')
  await user('PUT', '/identity-groups/staff', { body: { sessionIdleSeconds: 3_600, requireEmail: false } })
  const body = { group: 'staff', name: 'grace', email: 'grace@listd.example' }
  const { json: created } = await user('POST', '/identities', { body })
  await user('GET', '/identities?group=staff')
  await user('GET', `/identities/${created.id}`)
  await user('PUT', `/identities/${created.id}`, { body: { tags: ['editor'] } })
  const { json: events } = await token('GET', `/identities/${created.id}/events?limit=1`)
  await token('GET', `/identities/${created.id}/events/${events.data[0].id}`)
  await token('GET', `/identities/${created.id}/stats?days=1`)
  await user('DELETE', `/identities/${created.id}`)
  await user('DELETE', `/identity-groups/${group.id}`)
}

/** An identity registers, signs in, and manages itself. */
export async function callSignUp(cast: Cast): Promise<void> {
  const { token, with: caller, tokenHeaders } = cast
  const signUp = { name: 'ada', displayName: 'Ada', email, password }
  await token('POST', '/identities/register', { body: signUp })
  await token('POST', '/identities/register', { body: signUp })
  await token('GET', '/identities/oauth/providers')
  const signedIn = async () => {
    const { json } = await token('POST', '/identities/login', { body: { name: 'ada', password } })
    return caller({ ...tokenHeaders, 'x-identity-token': json.token })
  }
  await callOneTimeTokens(cast)
  const ada = await signedIn()
  await ada('GET', '/identities/self')
  await ada('PUT', '/identities/self', { body: { displayName: 'Ada L.' } })
  const sessions = '/identities/self/sessions'
  const { json: page } = await ada('GET', sessions)
  await ada('GET', `${sessions}/${page.data[0].id}`)
  await (await signedIn())('POST', '/identities/logout', { body: { all: false } })
  await ada('DELETE', `${sessions}/${page.data[0].id}`)
  await (await signedIn())('DELETE', sessions)
  await (await signedIn())('DELETE', '/identities/self')
  await ada('GET', '/identities/self')
  await callTooManyLogins(cast)
}

async function callOneTimeTokens({ token }: Cast): Promise<void> {
  const { json: reset } = await token('POST', '/identities/password-reset', { body: { email } })
  await token('POST', '/identities/password-reset/confirm', { body: { resetToken: reset.resetToken, password } })
  const { json: verify } = await token('POST', '/identities/email-verification', { body: { email } })
  const body = { verificationToken: verify.verificationToken }
  await token('POST', '/identities/email-verification/confirm', { body })
  await token('POST', '/identities/email-verification/confirm', { body })
}

/** Five failures are free; the others happen before the following wait has ended. */
async function callTooManyLogins({ token }: Cast): Promise<void> {
  const body = { name: 'nobody', password }
  await Promise.all(Array.from({ length: 8 }, () => token('POST', '/identities/login', { body })))
}

import { type Cast, password } from './cast.ts'

const login = { email: 'ana@listd.example', password }

/** Health, the signed-in user and API tokens. */
export async function callAccount({ anyone, user, token, with: caller }: Cast): Promise<void> {
  await anyone('GET', '/')
  await anyone('GET', '/health/live')
  await anyone('GET', '/health/ready')
  await user('GET', '/auth/self')
  await user('GET', '/stats')
  await user('PUT', '/auth/self', { body: { displayName: 'Ana' } })
  await user('PUT', '/auth/self/preferences', { body: { scheme: 'dark', keys: true } })
  await user('GET', '/auth/self/preferences')
  const signedIn = async () => {
    const { json } = await anyone('POST', '/auth/login', { body: login })
    return caller({ authorization: `Bearer ${json.token}` })
  }
  const { json: sessions } = await user('GET', '/auth/self/sessions?limit=5')
  await user('GET', `/auth/self/sessions/${sessions.data[0].id}`)
  await (await signedIn())('POST', '/auth/logout')
  await callTokens({ user, caller })
  await anyone('GET', '/lists')
  await token('GET', '/webhooks')
}

async function callTokens({ user, caller }: { user: Cast['user']; caller: Cast['with'] }): Promise<void> {
  const permissions = [{ mode: 'allow', action: 'view', resourceType: 'item' }]
  const body = { name: 'Website', permissions, tags: ['web'] }
  const { json: created } = await user('POST', '/tokens', { body })
  const path = `/tokens/${created.id}`
  await user('GET', '/tokens?tagged=web')
  await user('GET', path)
  await user('PUT', path, { body: { description: 'Shows the recipes.' } })
  const { json: rotated } = await user('POST', `${path}/rotate`)
  const website = caller({ 'x-api-token': rotated.value })
  await website('GET', '/tokens/self')
  await website('POST', '/lists', { body: { name: 'Recipes' } })
  await user('DELETE', path)
}

/** Ends the sessions of the user, including the one of the examples. */
export async function endSessions({ user, anyone }: Cast): Promise<void> {
  const { json: created } = await anyone('POST', '/auth/login', { body: login })
  const { json: sessions } = await user('GET', '/auth/self/sessions')
  const other = sessions.data.find(({ current }: { current: boolean }) => !current)
  if (created.token) await user('DELETE', `/auth/self/sessions/${other.id}`)
  await user('DELETE', '/auth/self/sessions')
}

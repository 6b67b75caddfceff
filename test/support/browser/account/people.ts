import type { Api } from '../../http/api.ts'

/** Identities, some with long names. */
export async function fillIdentities(user: Api): Promise<{ identity: string }> {
  await user('POST', '/identity-groups', { body: { name: 'members' } })
  await user('POST', '/identity-groups', { body: { name: 'editors of the newsletter' } })
  let identity = ''
  for (const name of [
    'ada',
    'bo',
    'celia',
    'dinah',
    'ella',
    'frida',
    'gal',
    'hedy',
    'a-very-long-login-name-that-somebody-chose-in-a-hurry',
  ]) {
    const body = {
      name,
      group: 'members',
      email: `${name}@people.example`,
      displayName: `${name} of the long family name`,
    }
    const { json } = await user('POST', '/identities', { body })
    identity ||= json.id
  }
  return { identity }
}

const viewItems = { mode: 'allow', action: 'view', resourceType: 'item' }

/** Tokens, one with rules of each kind. @returns its id */
export async function fillTokens(user: Api, { identity, board }: { identity: string; board: string }): Promise<string> {
  for (const name of ['ci', 'newsletter', 'import of the old system'])
    await user('POST', '/tokens', { body: { name, permissions: [{ mode: 'allow', action: 'view' }] } })
  const permissions = [
    { ...viewItems, listIds: [board], where: { state: 'in:announced,over', begins: 'after:$now' } },
    { ...viewItems, action: 'create' },
    {
      ...viewItems,
      action: 'update',
      listIds: [board],
      where: { state: 'eq:draft' },
      changes: ['/title', '/about', 'tags'],
    },
    { mode: 'block', action: 'delete' },
    { mode: 'allow', action: 'authenticate', resourceType: 'identity', identityIds: [identity] },
  ]
  const { json } = await user('POST', '/tokens', { body: { name: 'web app', permissions } })
  return json.id
}

import { chmod, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'ava'
import {
  changeProfile,
  type Profile,
  parseProfiles,
  profileName,
  profilesPath,
  readProfiles,
} from '#services/supervisor/remote/sessions/profiles.ts'
import { testFolder } from '../../../../support/test-context/folder.ts'

const ada: Profile = {
  url: 'https://lists.example.com',
  email: 'ada@example.com',
  session: 'hidden',
  expiresAt: '2027-01-31T12:00:00.000Z',
}

test('profiles are stored where the XDG Base Directory Specification says', (t) => {
  t.is(profilesPath({ HOME: '/people/ada' }), '/people/ada/.config/listd/profiles.json')
  t.is(profilesPath({ HOME: '/people/ada', XDG_CONFIG_HOME: '/etc/ada' }), '/etc/ada/listd/profiles.json')
  t.is(profilesPath({ HOME: '/people/ada', XDG_CONFIG_HOME: 'relative' }), '/people/ada/.config/listd/profiles.json')
  t.is(profilesPath({}), join(homedir(), '.config/listd/profiles.json'))
})

test('a profile is that of the option, else of LISTD_PROFILE, else default', (t) => {
  t.is(profileName({ LISTD_PROFILE: 'staging' }, 'production'), 'production')
  t.is(profileName({ LISTD_PROFILE: 'staging' }, undefined), 'staging')
  t.is(profileName({ LISTD_PROFILE: '' }, undefined), 'default')
  for (const wrong of ['', '-x', 'a b', 'a;b', 'a'.repeat(51)]) {
    t.throws(() => profileName({}, wrong), { message: /^--profile must be a name/ }, wrong)
  }
  t.throws(() => profileName({ LISTD_PROFILE: 'a b' }, undefined), { message: /^LISTD_PROFILE must be a name/ })
})

test('a saved profile is read again, and only its owner may read the file, even if it was readable by others before', async (t) => {
  const path = join(await testFolder(t), 'config', 'listd', 'profiles.json')
  t.deepEqual([...(await readProfiles(path))], [])
  const profiles = new Map([
    ['default', ada],
    ['__proto__', { ...ada, email: 'bob@example.com' }],
  ])
  for (const [name, profile] of profiles) await changeProfile(path, name, profile)
  t.deepEqual(await readProfiles(path), profiles)
  await chmod(path, 0o644)
  await changeProfile(path, 'default', null)
  t.deepEqual([...(await readProfiles(path)).keys()], ['__proto__'])
  t.is((await stat(path)).mode & 0o777, 0o600)
  t.deepEqual(await readdir(dirname(path)), ['profiles.json'])
})

test('no profile is lost when several are changed at once', async (t) => {
  const path = join(await testFolder(t), 'profiles.json')
  const names = Array.from({ length: 12 }, (_, n) => `p${n}`)
  await Promise.all(names.map((name) => changeProfile(path, name, ada)))
  t.deepEqual([...(await readProfiles(path)).keys()].sort(), names.toSorted())
})

test('a lock that a killed command has left is removed', async (t) => {
  const path = join(await testFolder(t), 'profiles.json')
  await writeFile(`${path}.lock`, '')
  await utimes(`${path}.lock`, 0, 0)
  await changeProfile(path, 'default', ada)
  t.deepEqual([...(await readProfiles(path)).keys()], ['default'])
})

test('a file with other content is rejected, and nothing of it is shown', async (t) => {
  const wrong = [
    '',
    'hidden',
    '[]',
    '{"profiles":[]}',
    '{"profiles":{"default":"hidden"}}',
    JSON.stringify({ profiles: { default: { ...ada, session: 'hid\nden' } } }),
    JSON.stringify({ profiles: { default: { ...ada, url: null } } }),
  ]
  for (const text of wrong) {
    const { message } = t.throws(() => parseProfiles(text, '/profiles.json'), undefined, text) ?? { message: '' }
    t.is(message, '/profiles.json does not contain the profiles of "listd login"; delete it, and sign in again.')
  }
  const path = join(await testFolder(t), 'profiles.json')
  await writeFile(path, 'hidden')
  await t.throwsAsync(readProfiles(path), { message: /profiles\.json does not contain/ })
})

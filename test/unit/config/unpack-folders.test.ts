import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { unpackFolders } from '#shared/config/unpack-folders.ts'

const temporary = join(tmpdir(), `listd-${process.getuid?.()}`)

test("the executable unpacks into the user's cache folder, or else into one for temporary files", (t) => {
  t.deepEqual(unpackFolders({ XDG_CACHE_HOME: '/caches' }), ['/caches/listd', temporary])
  for (const HOME of ['', 'not/absolute'])
    t.deepEqual(unpackFolders({ HOME }), [temporary], 'not into the current folder')
  const home = join(homedir(), '.cache/listd')
  for (const env of [{}, { XDG_CACHE_HOME: '' }, { XDG_CACHE_HOME: 'not/absolute' }]) {
    t.deepEqual(unpackFolders(env), [home, temporary])
  }
})

test('it unpacks only into the folder of LISTD_UNPACK_DIR if that is set', (t) => {
  t.deepEqual(unpackFolders({ LISTD_UNPACK_DIR: '/srv/x', XDG_CACHE_HOME: '/caches' }), ['/srv/x'])
  t.deepEqual(unpackFolders({ LISTD_UNPACK_DIR: 'x' }), [join(process.cwd(), 'x')])
})

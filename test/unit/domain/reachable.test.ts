import test from 'ava'
import { isReachable, reachablePattern } from '#shared/domain/reachable.ts'

for (const name of ['a', '...', '....', '.a', '..a', 'a.', ' ', '. ', '..\n', '\n', '/', '%2e', 'é']) {
  test(`an address can name ${JSON.stringify(name)}`, (t) => {
    t.deepEqual([isReachable(name), new RegExp(reachablePattern).test(name)], [true, true])
  })
}

for (const name of ['', '.', '..']) {
  test(`no address can name ${JSON.stringify(name)}`, (t) => {
    t.deepEqual([isReachable(name), new RegExp(reachablePattern).test(name)], [false, false])
  })
}

import test from 'ava'
import { namesOf, prefixOf } from '#shared/bus/names.ts'

test('all names of an installation begin with its own short prefix, derived from its id', (t) => {
  const { subject, stream } = namesOf(prefixOf('019ac1f2-5b7c-7d30-9c41-3f5e8a2b6d07'))
  t.is(subject('identity.login'), 'listd-3f5e8a2b6d07.identity.login')
  t.is(stream, 'listd-3f5e8a2b6d07-events')
})

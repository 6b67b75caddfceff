import test from 'ava'
import { compareVersions, firstVersion, isVersion, nextVersion } from '#shared/domain/item/version.ts'
import { atMost } from '../../../support/assertions/bounds.ts'

test('an item begins at 1.0.0 and every write adds one to the patch part', (t) => {
  t.is(firstVersion, '1.0.0')
  t.is(nextVersion('1.0.0'), '1.0.1')
  t.is(nextVersion('2.10.99'), '2.10.100')
})

test('parts are compared as numbers', (t) => {
  const rising = ['0.0.0', '0.0.9', '0.0.10', '0.2.0', '0.10.0', '1.0.0', '9.9.9', '10.0.0', '999999999999999.0.0']
  for (const [n, version] of rising.entries()) {
    t.is(compareVersions(version, version), 0)
    for (const greater of rising.slice(n + 1)) {
      t.true(compareVersions(version, greater) < 0, `${version} and ${greater}`)
      t.true(compareVersions(greater, version) > 0, `${greater} and ${version}`)
    }
  }
})

test('a version is three numbers without leading zeros, of at most 15 digits', (t) => {
  for (const text of ['0.0.0', '1.2.3', `${'9'.repeat(15)}.0.${'9'.repeat(15)}`]) t.true(isVersion(text), text)
  const others = [
    '',
    '1',
    '1.0',
    '1.0.0.0',
    '01.0.0',
    '1.0.00',
    '-1.0.0',
    '1.0.x',
    'v1.0.0',
    '1.0.0-a',
    ' 1.0.0',
    '1.0.0\n',
  ]
  for (const text of [...others, `${'1'.repeat(16)}.0.0`]) t.false(isVersion(text), text)
})

test('the greatest version that a caller may give is still counted up exactly', (t) => {
  const greatest = '999999999999999.999999999999999.999999999999999'
  t.is(nextVersion(greatest), '999999999999999.999999999999999.1000000000000000')
  t.true(compareVersions(nextVersion(nextVersion(greatest)), nextVersion(greatest)) > 0)
  atMost(t, nextVersion(greatest).length, 50, 'characters')
})

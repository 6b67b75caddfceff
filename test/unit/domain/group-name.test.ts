import test from 'ava'
import { groupNameErrors, isGroupName, newGroupNamePattern } from '#shared/domain/group-name.ts'

for (const name of ['a', 'staff', 'Staff & friends', '~!"#$%', 'a/b', 'a, b', '...', '.a', 'a..', 'x'.repeat(100)]) {
  test(`${JSON.stringify(name.slice(0, 20))} is the name of a group`, (t) =>
    t.deepEqual([groupNameErrors(name, 'group'), new RegExp(newGroupNamePattern).test(name)], [[], true]))
}

const rejected: Record<string, string> = {
  empty: '',
  'a space': ' ',
  'a space before it': ' staff',
  'a space after it': 'staff ',
  '101 characters': 'x'.repeat(101),
  'a letter beyond ASCII': 'stäff',
  'a line break': 'staff\nx',
  'a line break at its end': 'staff\n',
  DEL: 'a\u007f',
  'a lone surrogate': '\ud800',
  'a dot': '.',
  'two dots': '..',
}
for (const [what, name] of Object.entries(rejected)) {
  test(`${what}: rejected with the path`, (t) => {
    t.deepEqual(
      groupNameErrors(name, 'body.group').map(({ path }) => path),
      ['body.group'],
    )
    t.false(new RegExp(newGroupNamePattern).test(name))
  })
}

test('an existing group with a name of dots is still found by it', (t) => {
  t.true(isGroupName('.') && isGroupName('..'))
})

// A pattern that backtracks would take minutes.
test('a long name is validated in one pass', (t) => {
  t.is(groupNameErrors(`${' '.repeat(1_000_000)}x`, 'group').length, 1)
  t.is(groupNameErrors(`x${' '.repeat(1_000_000)}`, 'group').length, 1)
})

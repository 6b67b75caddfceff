import test from 'ava'

test('runs together', (t) => {
  process.env.LEFT_BY_A_TEST = 'yes'
  t.pass()
})

test('fails', (t) => t.fail())

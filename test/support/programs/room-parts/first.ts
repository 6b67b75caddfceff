import test from 'ava'

const ran: string[] = []
test.before(() => void ran.push('before'))
test.after.always(() => void process.stderr.write(`first: ${ran.join(' ')}\n`))

test('runs together', async (t) => {
  ran.push('together')
  t.deepEqual(ran.slice(0, 2), ['before', 'serial'])
})

test.serial('runs before', (t) => {
  ran.push('serial')
  t.pass()
})

import test from 'ava'
import { addressSet, parseCidr, parseCidrs } from '#shared/net/cidr.ts'

test('a block contains the addresses that begin with its prefix', (t) => {
  t.deepEqual(parseCidr('192.0.2.128/25'), { family: 4, first: 0xc0000280n, last: 0xc00002ffn })
  t.deepEqual(parseCidr('0.0.0.0/0'), { family: 4, first: 0n, last: 0xffff_ffffn })
  t.deepEqual(parseCidr('::/0'), { family: 6, first: 0n, last: (1n << 128n) - 1n })
})

test('a bare address is a block of one', (t) => {
  t.deepEqual(parseCidr('192.0.2.1'), parseCidr('192.0.2.1/32'))
  t.deepEqual(parseCidr('192.0.2.1/32'), { family: 4, first: 0xc0000201n, last: 0xc0000201n })
  t.deepEqual(parseCidr('::1'), parseCidr('::1/128'))
  t.deepEqual(parseCidr('::1/128'), { family: 6, first: 1n, last: 1n })
})

test('bits after the prefix are ignored', (t) => {
  t.deepEqual(parseCidr('10.1.2.3/8'), parseCidr('10.0.0.0/8'))
  t.deepEqual(parseCidr('fd00::1/8'), parseCidr('fd00::/8'))
})

for (const text of [
  '',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0.0/8 ',
  '10.0.0/8',
  '::/129',
  '[::1]/128',
  'fe80::1%eth0/64',
  '::ffff:10.0.0.0/104',
  '::ffff:10.0.0.0',
  '::ffff:0:0/96',
  '0x0a.0.0.0/8',
  '010.0.0.0/8',
  '10.0.0.0/0x8',
  '10.0.0.0/255.0.0.0',
  '::/00',
  'localhost',
]) {
  test(`${JSON.stringify(text)} is not a block of addresses`, (t) => t.is(parseCidr(text), null))
}

test('a text that is not a block is named, with the expected form', (t) => {
  t.throws(() => parseCidrs('webhooks.allowCidrs', ['10.0.0.0/8', '10.0.0.0/99']), {
    message: 'webhooks.allowCidrs: "10.0.0.0/99" is invalid; must be addresses or networks such as 10.0.0.0/8',
  })
})

test('an address set contains networks of both families and single addresses', (t) => {
  const holds = addressSet('ips', ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '2001:db9::1'])
  for (const address of ['192.0.2.255', '198.51.100.7', '2001:db8:1::1', '2001:db9::1']) t.true(holds(address), address)
  for (const address of ['192.0.3.0', '198.51.100.8', '2001:dba::1', '2001:db9::2', '', 'localhost', '192.0.2.1%1']) {
    t.false(holds(address), address)
  }
})

test('a set without networks contains no address', (t) => t.false(addressSet('ips', [])('192.0.2.1')))

test('a network of one family contains nothing of the other', (t) => {
  const ipv4 = addressSet('ips', ['0.0.0.0/0'])
  const ipv6 = addressSet('ips', ['::/0'])
  for (const address of ['::', '::1', '::192.0.2.1', '2001:db8::1']) {
    t.false(ipv4(address), address)
    t.true(ipv6(address), address)
  }
  for (const address of ['0.0.0.0', '192.0.2.1', '255.255.255.255']) {
    t.true(ipv4(address), address)
    t.false(ipv6(address), address)
  }
})

for (const address of ['::ffff:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:FFFF:192.0.2.1']) {
  test(`a set contains ${address} if it contains 192.0.2.1`, (t) => {
    t.true(addressSet('ips', ['192.0.2.0/24'])(address))
    t.true(addressSet('ips', ['192.0.2.1'])(address))
    t.false(addressSet('ips', ['198.51.100.0/24'])(address))
    t.false(addressSet('ips', ['::/0'])(address))
  })
}

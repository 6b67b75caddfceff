import test from 'ava'
import { formatIpv4, isMapped, parseAddress, parseHost, unmapped } from '#shared/net/address.ts'

const notAddresses = [
  '',
  ' 8.8.8.8',
  '8.8.8.8 ',
  '8.8.8',
  '8.8.8.8.8',
  '8.8.8.256',
  '08.8.8.8',
  '0x8.8.8.8',
  '134744072',
  '８.8.8.8',
  '[8.8.8.8]',
  '[2606:4700::1]',
  '8.8.8.8:443',
  '0177.0.0.1',
  '127.00.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '127.1',
  '-1.8.8.8',
  '8.8.8.+8',
  '8.8.8.1e1',
  '::ffff:0177.0.0.1',
  '::ffff:192.0.2.1%1',
  '::1/128',
  'fe80::1%eth0',
  '2606:4700::1%1',
  '[2606:4700::1',
  '2606:4700::1]',
  '2606:4700:::1',
  '2606::4700::1',
  ':2606:4700:1:2:3:4:5',
  '2606:4700:1:2:3:4:5',
  '2606:4700:1:2:3:4:5:6:7',
  '2606:4700:1:2:3:4:5:6::',
  '2606:47000::1',
  '2606::8.8.8.8:1',
  '8.8.8.8::1',
  '2606:4700::g',
  'example.com',
  'localhost',
]

for (const text of notAddresses) {
  test(`${JSON.stringify(text)} is not an address`, (t) => t.is(parseAddress(text), null))
}

test('an IPv4 address is its 32 bits', (t) => {
  t.deepEqual(parseAddress('0.0.0.0'), { family: 4, value: 0n })
  t.deepEqual(parseAddress('192.0.2.1'), { family: 4, value: 0xc0000201n })
  t.deepEqual(parseAddress('255.255.255.255'), { family: 4, value: 0xffff_ffffn })
})

test('every spelling of an IPv6 address is the same address', (t) => {
  const value = parseAddress('2606:4700::8.8.8.8')
  t.deepEqual(value, { family: 6, value: 0x26064700_00000000_00000000_08080808n })
  for (const text of [
    '2606:4700:0:0:0:0:808:808',
    '2606:4700::808:808',
    '2606:4700::0808:0808',
    '2606:4700:0::808:808',
  ]) {
    t.deepEqual(parseAddress(text), value, text)
  }
})

test('every number of omitted groups is filled, at every place', (t) => {
  t.deepEqual(parseAddress('::'), { family: 6, value: 0n })
  t.deepEqual(parseAddress('1::'), { family: 6, value: 1n << 112n })
  t.deepEqual(parseAddress('::1'), { family: 6, value: 1n })
  t.deepEqual(parseAddress('1:2:3:4:5:6:7::'), parseAddress('1:2:3:4:5:6:7:0'))
  t.deepEqual(parseAddress('ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'), { family: 6, value: (1n << 128n) - 1n })
})

test('an IPv6 literal has brackets as the host of a URL, an IPv4 literal has none', (t) => {
  t.deepEqual(parseHost('[2606:4700::1]'), parseAddress('2606:4700::1'))
  t.deepEqual(parseHost('192.0.2.1'), parseAddress('192.0.2.1'))
  for (const host of ['[192.0.2.1]', '[2606:4700::1', '2606:4700::1]', '[[::1]]', '[fe80::1%25eth0]', 'example.com']) {
    t.is(parseHost(host), null, host)
  }
})

for (const text of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1']) {
  test(`${text} contains an IPv4 address`, (t) => {
    const address = parseAddress(text)
    t.is(address?.family, 6)
    t.true(address && isMapped(address))
    t.deepEqual(address && unmapped(address), parseAddress('192.0.2.1'))
  })
}

for (const text of ['192.0.2.1', '::192.0.2.1', '::fffe:192.0.2.1', '::1:ffff:192.0.2.1', '64:ff9b::192.0.2.1']) {
  test(`${text} is not a mapped address`, (t) => {
    const address = parseAddress(text)
    t.false(address && isMapped(address))
    t.deepEqual(address && unmapped(address), address)
  })
}

test('an IPv4 address is written in dotted form', (t) => {
  for (const text of ['0.0.0.0', '192.0.2.1', '255.255.255.255'])
    t.is(formatIpv4(parseAddress(text)?.value ?? -1n), text)
})

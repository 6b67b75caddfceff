import test from 'ava'
import { type Cidr, isAllowedAddress, isPublicAddress, parseAddress, parseCidr } from '#shared/net/address.ts'

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2620:4f:7fff:ffff::1',
  '2a00:1450:4001:81b::200e',
  '3ffe:ffff::1',
  '[2606:4700:4700::1111]',
]

const nonPublicOnes = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.9',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.255',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '::7f00:1',
  '::127.0.0.1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '1fff:ffff::1',
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:DB8:ffff::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

const mappedOnes = ['::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '[::ffff:808:808]', '0:0:0:0:0:FFFF:1.1.1.1']

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

for (const text of publicOnes) test(`${text} is public`, (t) => t.true(isPublicAddress(text)))
for (const text of nonPublicOnes) test(`${text} is not public`, (t) => t.false(isPublicAddress(text)))
for (const text of mappedOnes) test(`the mapped address ${text} is not public`, (t) => t.false(isPublicAddress(text)))

for (const text of notAddresses) {
  test(`${JSON.stringify(text)} is no address and never allowed`, (t) => {
    t.is(parseAddress(text), null)
    t.false(isAllowedAddress(text, blocks('0.0.0.0/0', '::/0')))
  })
}

test('every spelling of an IPv6 address is the same address', (t) => {
  const value = parseAddress('2606:4700::8.8.8.8')
  t.deepEqual(value, { family: 6, value: 0x26064700_00000000_00000000_08080808n })
  for (const text of [
    '2606:4700:0:0:0:0:808:808',
    '2606:4700::808:808',
    '[2606:4700::0808:0808]',
    '2606:4700:0::808:808',
  ]) {
    t.deepEqual(parseAddress(text), value, text)
  }
})

test("an address inside one of the operator's blocks is allowed, its neighbours are not", (t) => {
  const allowed = blocks('10.1.0.0/16', '127.0.0.1', 'fd00:1::/32')
  for (const text of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd00:1:ffff::1', '8.8.8.8']) {
    t.true(isAllowedAddress(text, allowed), text)
  }
  for (const text of ['10.0.255.255', '10.2.0.0', '127.0.0.2', 'fd00:2::1', '::1']) {
    t.false(isAllowedAddress(text, allowed), text)
  }
})

test('a block of one family allows nothing of the other', (t) => {
  t.false(isAllowedAddress('::a00:1', blocks('0.0.0.0/0')))
  t.false(isAllowedAddress('10.0.0.1', blocks('::/0')))
})

test('a mapped address is refused although a block holds it', (t) => {
  for (const text of mappedOnes) t.false(isAllowedAddress(text, blocks('0.0.0.0/0', '::/0')), text)
})

test('a block may be written with bits behind its prefix', (t) => {
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
  'localhost',
]) {
  test(`${JSON.stringify(text)} is no block of addresses`, (t) => t.is(parseCidr(text), null))
}

function blocks(...texts: string[]): Cidr[] {
  return texts.map((text) => parseCidr(text)).filter((block) => block !== null)
}

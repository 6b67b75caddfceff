import test from 'ava'
import { parseCidrs } from '#shared/net/cidr.ts'
import { isAllowedAddress } from '#shared/net/public-address.ts'

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

for (const text of publicOnes) test(`${text} is public`, (t) => t.true(isAllowedAddress(text, [])))
for (const text of nonPublicOnes) test(`${text} is not public`, (t) => t.false(isAllowedAddress(text, [])))
for (const text of mappedOnes)
  test(`the mapped address ${text} is not public`, (t) => t.false(isAllowedAddress(text, [])))

for (const text of ['', 'localhost', '8.8.8.8 ', '0177.0.0.1', '[8.8.8.8]', '2606:4700::1%1']) {
  test(`${JSON.stringify(text)} is not an address and never allowed`, (t) => {
    t.false(isAllowedAddress(text, blocks('0.0.0.0/0', '::/0')))
  })
}

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

test('a mapped address is rejected even if a block contains it', (t) => {
  for (const text of mappedOnes) t.false(isAllowedAddress(text, blocks('0.0.0.0/0', '::/0')), text)
})

const blocks = (...texts: string[]) => parseCidrs('allowed', texts)

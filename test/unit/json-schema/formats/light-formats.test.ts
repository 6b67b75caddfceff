import test from 'ava'
import { parseDate } from '#shared/domain/text/date.ts'
import { schemaFormats } from '#shared/json-schema/formats/formats.ts'

/** Texts near the border of each format, valid or invalid by its RFC and by the public suite of JSON Schema. */
const formats: [name: string, valid: string[], invalid: string[]][] = [
  ['date-time', [
    '1963-06-19T08:30:06.283185Z', '1963-06-19t08:30:06z', '1937-01-01T12:00:27.87+00:20', '1998-12-31T23:59:60Z', '1998-12-31T15:59:60.123-08:00',
    '2015-06-30T23:59:60Z', '2015-07-01T01:29:60+01:30', '1985-04-12T00:59:59.999999999999999Z', `2026-03-01T10:20:30.${'1'.repeat(300)}Z`, '2020-02-29T00:00:00Z',
    '0400-02-29T00:00:00Z', '0000-01-01T00:00:00Z', '2026-03-01T10:20:30-00:00', '2026-03-01T10:20:30+23:59',
  ], [
    '1998-12-31T23:59:61Z', '1998-12-31T23:58:60Z', '1998-12-31T22:59:60Z', '1998-12-30T23:59:60Z', '1998-12-31T23:59:60+01:00', '1990-12-31T24:00:00Z', '2016-12-31T24:59:60+01:00',
    '1990-12-31T15:60:00Z', '1985-04-12T23:60:00+00:01', '1990-12-31T10:00:00+10:60', '1990-12-31T15:59:59-24:00', '1990-12-31T15:59:59+24:00', '1990-02-31T15:59:59Z', '1963-06-19T08:30:06+01:00Z',
    '1985-04-12T23:20:50+01', '1985-04-12T23:20:50+0100', '1985-04-12T23:20Z', '1985-04-12T23:20:50Z\n', '1985-04-12T23:20:50Ztail', '1985-04-12T23:20:50,5Z', '1985-04-12T23:20:50.Z',
    '2013-350T01:01:01', '1963-6-19T08:30:06Z', '1963-06-1T08:30:06Z', '1963-06-1৪T00:00:00Z', '+11963-06-19T08:30:06Z', '2021-02-29T00:00:00Z', '0100-02-29T00:00:00Z', '2100-02-29T00:00:00Z',
  ]],
  ['time', [
    '08:30:06Z', '08:30:06z', '23:20:50.52Z', `08:30:06.${'1'.repeat(300)}Z`, '12:34:56-00:00', '08:30:06+23:59', '23:59:60Z', '23:59:60+00:00', '01:29:60+01:30', '23:29:60+23:30', '15:59:60-08:00', '00:29:60-23:30',
  ], [
    '8:3:6Z', '008:030:006Z', '22:59:60Z', '23:58:60Z', '23:59:60+01:00', '23:59:60+00:30', '23:59:60-01:00', '24:00:00Z', '24:59:00+01:00', '00:60:00Z', '00:00:61Z', '01:02:03+24:00', '01:02:03+00:60',
    '01:02:03Z+00:30', '08:30:06 PST', '01:01:01,1111', '12:00:00', '12:00:00.52', '1২:00:00Z', '08:30:06#00:20', '08:30:06+01', '08:30:06+0100', '08:30:06-8:000', '2020-11-28T23:55:45Z',
  ]],
  ['date', ['0000-02-29', '2000-02-29'], ['1900-02-29', '2026-00-01', '2026-01-00', '2026-01-32', '2026-1-01', '1963-06-1৪', '2026-01-01\n', '2026-W01-1', '+02026-01-01']],
  ['uri', [
    'http://foo.bar/?baz=qux#quux', 'http://foo.com/blah_(wikipedia)_blah#cite-1', "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", 'ldap://[2001:db8::7]/c=GB?objectClass?one', 'mailto:a@b.c', 'tel:+1-816',
    'urn:oasis:names:4.1.2', 'file:///etc/hosts', 'file:/etc/hosts', 'a:', 'http://', 'http://087.10.0.1/', 'http://999.999.999.999/', 'http://a:/', 'http://[v1.a:b]/', 'a+b-c.1:x', 'http://a/b//c', 'http://a?b?c#d?e',
  ], [
    '//foo.bar/', '/abc', '\\\\WINDOWS\\fileshare', 'abc', 'http:// shouldfail.com', ':// should fail', 'bar,baz:foo', 'https://[@example.org/test.txt', 'https://example.org/foobar®.txt', 'https://example.org/foobar\\.txt',
    'https://a/".txt', 'https://a/<>.txt', 'https://a/{}.txt', 'https://a/^.txt', 'https://a/`.txt', 'https://a/ .txt', 'https://a/|.txt', 'http://a/%6G', 'http://a/%A', 'http://a/%', 'http://a%2/', '1http://a', 'ht_tp://a',
    'http://a:abc/path', 'http://a@b@c/', 'http://[::1', 'http://[::1]a/', 'http://[1::2::3]/', 'http://[::ffff:192.168.0.01]', 'http://a[b]/', 'http://a/[b]', 'http://a#b#c', 'http://a/\n', 'http://a/\u0000', '',
  ]],
  ['uri-reference', ['//foo.bar/?baz=qux#quux', '/abc', 'abc', '#fragment', '?q', '', 'a/b:c', './a:b', '//a:8', 'http:a'], [
    '\\\\WINDOWS\\fileshare', '#frag\\ment', '/foobar®.txt', '//[::ffff:192.168.0.01]/p', 'bar,baz:foo', ':a', '/%6G', '/%', '1:a', '/a b', '##',
  ]],
  ['iri', [
    'http://ƒøø.ßår/?∂éœ=πîx#πîüx', 'http://ƒøø.com/blah_(wîkïpédiå)_blah#ßité-1', 'http://[2001:0db8:85a3:0000:0000:8a2e:0370:7334]', 'http://192.168.0.1/p', 'urn:example:resource', 'http://a/𐌀', 'http://a/?q=\u{f0000}', 'http://a/?\ue000',
  ], [
    'http://2001:0db8:85a3:0000:0000:8a2e:0370:7334', '/abc', '\\\\WINDOWS\\filëßåré', 'âππ', 'http://[::ffff:192.168.0.01]', 'http://ƒøø.ßår/\n', 'http://a/\ue000', 'http://a/\u{f0000}', 'http://a/#\ue000', 'http://a/\ufffe', 'http://a/\u0085', 'http://a/\ud800', 'ü:a',
  ]],
  ['iri-reference', ['//ƒøø.ßår/?∂éœ=πîx', '/âππ', 'âππ', '#ƒrägmênt', '//[2001:db8::1]/p', '/âππ/𐌀', '?q=\u{f0000}'], ['\\\\WINDOWS\\filëßåré', '#ƒräg\\mênt', '//[::ffff:192.168.0.01]/p', '/âππ\n', '/%6G', '/%A', '/%']],
  ['uri-template', [
    'http://example.com/dictionary/{term:1}/{term}', '', 'a%41b', 'a\u{1f600}b', 'a\ue000b', 'a\u{f0000}b', '{+var}', '{#var}', '{.var}', '{/var}', '{;var}', '{?var}', '{&var}', '{var*}', '{x,y}', '{a.b}', '{%41}', '{v:1000}', '{v:9999}', "a'b", '{a_1}', '{?x*,y:3}', '{|a}',
  ], [
    '{term', '{}', '{a,,b}', '{v:0}', '{v:10000}', 'foo}bar', 'a%', 'a%4', 'a%GG', '{var:1*}', '{a.}', '{a..b}', '{.}', '{%}', '{%4}', '{%GG}', '{v:01}', 'a b', 'a\u007fb', '{a,}', '{var=def}', '{,+var}', 'a%4{x}1', '{a{b}}', '{é}', 'a"b', 'a<b', 'a\\b', 'a^b', 'a`b', 'a|b', 'a\ufffe',
  ]],
  ['email', [
    'joe.bloggs@123.24-7-examples.com', 'te~st@example.com', '~test@example.com', 'test~@example.com', '"joe bloggs"@example.com', '"joe..bloggs"@example.com', '"joe@bloggs"@example.com', '"a\\"b"@example.com',
    'joe.bloggs@[127.0.0.1]', 'user@[01.0.0.1]', 'joe.bloggs@[IPv6:::1]', 'te.s.t@example.com', 'a+b@example.com', `${'a'.repeat(64)}@example.com`,
  ], [
    '2962', '.test@example.com', 'test.@example.com', 'te..st@example.com', 'joe.bloggs@invalid=domain.com', 'joe.bloggs@[127.0.0.300]', 'joe.bloggs@[IPv6:12345::]', 'joe.bloggs@[1.2.3]', 'user1@oceania.org, user2@oceania.org',
    '"Winston Smith" <winston.smith@recdep.minitrue>', '"a"b"@c.de', '"a@b.de', 'a@-b.de', 'a@b-.de', 'a@b..de', 'a@b.de.', 'a@[::1]', 'a@b.de\n', 'é@b.de', `a@${'b'.repeat(64)}.de`,
  ]],
  ['idn-email', [
    '실례@실례.테스트', 'joe.bloggs@example.com', 'δοκιμή@example.com', '"δοκιμή"@example.com', 'user@cafe\u0301.com', '\u0085@example.com', '\uffff@example.com', '\u{1d54f}@example.com', 'δοκιμή@[192.0.2.1]', 'δοκιμή@[IPv6:2001:db8::1]', 'user@[01.0.0.1]',
  ], ['2962', 'user\uff20example.com', 'user@[192.0.2.300]', 'δ..ο@example.com', 'δ ο@example.com']],
  ['ipv4', ['0.0.0.0', '255.255.255.255'], ['127.0.0.0.1', '256.256.256.256', '127.0', '0x7f000001', '2130706433', '087.10.0.1', '192.168.1.0/24', '1২7.0.0.1', '1.2.3.', '1.2.3.4.', ' 1.2.3.4', '1.2.3.4\n', '']],
  ['ipv6', ['::', '::abef', '::42:ff:1', 'd6::', '1::d6:192.168.0.1', '1:2::192.168.0.1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1000:1000:1000:1000:1000:1000:255.255.255.255'], [
    '12345::', '::abcef', '1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1', '::laptop', ':2:3:4:5:6:7:8', '1:2:3:4:5:6:7:', ':2:3:4::8', '1::d6::42', '1::2:192.168.256.1', '1::2:192.168.ff.1', '1:2:3:4:5:::8', '1:2:3:4:5:6:7', '1', '127.0.0.1', '1:2:3:4:1.2.3',
    '1:2:3:4:5:6:7:8::', '1:2:3:4::5:6:7:8', '1.2.3.4::', '1.2.3.4::1', '  ::1', '::1  ', 'fe80::/64', 'fe80::a%eth1', '1:2:3:4:5:6:7:1.2.3.4', '::1.2.3.4:1', '::ffff:1.2.3.04', '1:100.2.3.4', '::1\n', '১::', '', ':', ':::',
  ]],
  ['json-pointer', ['/foo/bar~0/baz~1/%a', '/', '//', '/foo//bar', '/~01', '/foo/-', '/ ', '/"', '/^', '/c%d'], ['/foo/bar~', '/~0~', '/~2', '#', '#/', '0', 'a/a', '/~-1', '/~~']],
  ['relative-json-pointer', ['1', '0/foo/bar', '2/0/baz/1/zip', '0#', '0+1', '0+1/foo', '1-2/bar', '0-0', '0-1#', '120/foo/bar', '100', '0//'], [
    '/foo/bar', '1foo', '-1/foo/bar', '+1/foo/bar', '0+', '0-01', '0++1', '0+1a', '١/foo', '0##', '01/a', '01#', '', '0/~2', '0/foo/bar~', '1#/foo/bar', '1\n',
  ]],
  ['regex', ['([abc])+\\s+$', '(?<name>x)', '(?<n>a)\\k<n>', '(?<=a+)b', '[]', '[^]', '\\cA', '\\p{Lu}', ''], [
    '^(abc]', '*a', '[z-a]', '\\', 'a)', '[abc', '\\a', '(?P<name>x)', '(?P<n>a)(?P=n)', '(?#comment)a', '(?i)abc', '(?ims)abc', '\\Z', 'a\\Z', 'a{2,1}', '(?<n>a)\\k<m>',
  ]],
] // biome-ignore format: a table

for (const [name, valid, invalid] of formats) {
  test(`format ${name} at its limits`, (t) => {
    const check = schemaFormats.get(name)
    for (const text of valid) t.true(check?.(text), text)
    for (const text of invalid) t.false(check?.(text), text)
  })
}

test('a date or a time by format is also a date for an index, and hours, minutes, zones and leap seconds have the same rules', (t) => {
  for (const [name, valid, invalid] of formats.slice(0, 3)) {
    if (name === 'time') continue
    for (const text of valid) t.not(parseDate(text), null, text)
    // ISO 8601 has more forms than RFC 3339: an index may accept a date that only has another form.
    const whole = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/
    for (const text of invalid.filter((text) => whole.test(text))) t.is(parseDate(text), null, text)
  }
})

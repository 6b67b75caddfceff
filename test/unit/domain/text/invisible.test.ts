import test from 'ava'
import { hasInvisible, hasInvisibleInProse } from '#shared/domain/text/invisible.ts'

const ignorable = ['\u200b', '\u200e', '\u061c', '\u2066', '\ufeff', '\u00ad', '\u115f', '\u2028', '\u{e0041}']
const blank = ['\ufff9', '\ufffb', '\u2800', '\u{16fe4}', '\u{1d159}']
for (const text of [...ignorable, ...blank]) {
  test(`U+${text.codePointAt(0)?.toString(16)} is invisible`, (t) => {
    t.true(hasInvisible(`a${text}b`))
    t.true(hasInvisibleInProse(`a${text}b`))
  })
}

test('joiners and variation selectors are invisible, and are allowed in prose', (t) => {
  for (const text of ['\u200c', '\u200d', '\ufe0f']) {
    t.true(hasInvisible(text))
    t.false(hasInvisibleInProse(text))
  }
})

test('letters, marks, digits, spaces and signs are visible', (t) => {
  for (const text of ['Ada Lovelace', 'e\u0301', 'عربي', '\u0600', '日本', '\u00a0', '😀'])
    t.false(hasInvisible(text), text)
})

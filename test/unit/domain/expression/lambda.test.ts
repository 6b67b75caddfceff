import test from 'ava'
import { beginsLambda } from '#shared/domain/expression/lambda.ts'
import { type Token, tokensOf } from '#shared/domain/expression/tokens.ts'
import { atMost } from '../../../support/assertions/bounds.ts'

test('the beginning of a function of an element is found without reading the rest of the text', (t) => {
  for (const [text, expected] of [
    ['(1)', false],
    ['x', false],
    ['((a))', false],
    ['x => x', true],
    ['(a, b) => a', true],
    ['() => 1', true],
  ] as const) {
    const tokens = tokensOf(`${text}, ${'abs((1)), '.repeat(1_000)}`)
    const read = new Set<PropertyKey>()
    const watched = new Proxy(tokens, {
      get(target, key) {
        read.add(key)
        return Reflect.get(target, key)
      },
    })
    t.is(beginsLambda(watched as readonly Token[], 0), expected, text)
    atMost(t, read.size, 7, `tokens read for ${text}`)
  }
})

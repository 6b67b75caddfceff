import test from 'ava'
import Joi from 'joi'
import { validate } from '#services/gateway/http/input/validation.ts'

const rule = Joi.object({ action: Joi.string(), resourceType: Joi.string() })
const schema = Joi.object({
  pathName: Joi.string(),
  permissions: Joi.array().items(rule),
  limits: Joi.object({ max: Joi.number() }),
})
  .label('body')
  .prefs({ abortEarly: false })

const messagesOf = (value: object) => validate(schema, value).errors.map(({ message }) => message)

test('an unknown property is reported with the most similar one of its object', (t) => {
  const [atTop] = messagesOf({ pathname: 'a' })
  t.regex(atTop ?? '', /"pathname" is not allowed; did you mean "pathName"\?$/)
  const [inArray] = messagesOf({ permissions: [{ acton: 'view' }] })
  t.regex(inArray ?? '', /acton" is not allowed; did you mean "action"\?$/)
  const [inObject] = messagesOf({ limits: { maxx: 1 } })
  t.regex(inObject ?? '', /maxx" is not allowed; did you mean "max"\?$/)
})

test('a property without a similar one is reported alone, and so are those after the first five', (t) => {
  t.regex(messagesOf({ nothing: 1 })[0] ?? '', /"nothing" is not allowed$/)
  const many = messagesOf(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`pathName${n}`, 1])))
  t.deepEqual(
    many.map((message) => message.includes('did you mean')),
    [true, true, true, true, true, false],
  )
})

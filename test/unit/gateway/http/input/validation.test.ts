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

const told = (value: object) => validate(schema, value).errors.map(({ message }) => message)

test('an unknown property is told with the one of its object that it probably is', (t) => {
  const [atTop] = told({ pathname: 'a' })
  t.regex(atTop ?? '', /"pathname" is not allowed; did you mean "pathName"\?$/)
  const [inArray] = told({ permissions: [{ acton: 'view' }] })
  t.regex(inArray ?? '', /acton" is not allowed; did you mean "action"\?$/)
  const [inObject] = told({ limits: { maxx: 1 } })
  t.regex(inObject ?? '', /maxx" is not allowed; did you mean "max"\?$/)
})

test('a property that is near none is told alone, and so are those after the first five', (t) => {
  t.regex(told({ nothing: 1 })[0] ?? '', /"nothing" is not allowed$/)
  const many = told(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`pathName${n}`, 1])))
  t.deepEqual(
    many.map((message) => message.includes('did you mean')),
    [true, true, true, true, true, false],
  )
})

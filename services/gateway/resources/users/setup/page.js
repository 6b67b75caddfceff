const part = (id) => document.getElementById(id)
const fields = ['setupToken', 'email', 'password']

/** The fragment never leaves the browser: no server and no log on the way sees the token. */
function readLink() {
  if (!part('done').hidden) return
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  part('setupToken').value = token
  part('token-field').hidden = token !== ''
  part('form').hidden = false
  showNotice('')
}

async function setUp(event) {
  event.preventDefault()
  part('submit').disabled = true
  showNotice('')
  for (const field of fields) showError(field, '')
  try {
    const response = await fetch('/auth/setup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(given()),
    })
    const answer = await response.json()
    if (response.ok) await finish(answer)
    else explain(answer)
  } catch {
    showNotice('listd does not answer. Is it still running?')
  } finally {
    part('submit').disabled = false
  }
}

/** Without a fragment the whole link may be pasted. */
function given() {
  const link = part('setupToken').value.trim()
  const setupToken = /listd_setup_\w+/.exec(link)?.[0] ?? link
  return { setupToken, email: part('email').value, password: part('password').value }
}

function explain({ name, message, details = {} }) {
  if (name === 'VALIDATION_FAILED') {
    // The API's messages begin with the name of the property, which is already above the field.
    for (const { path, message: text } of details.errors ?? []) showError(path, text.replace(/^"\w+"/, 'This'))
    part(fields.find((field) => part(field).ariaInvalid === 'true') ?? 'email').focus()
    return
  }
  if (name === 'SERVICE_UNAVAILABLE') showNotice('listd is busy or still starting. Try again in a moment.')
  else showNotice(endings[details.reason] ?? message)
  // A pasted token can be corrected; for a link that has expired the form is of no use.
  part('token-field').hidden &&= details.reason !== 'unknown'
  part('form').hidden = details.reason === 'used' || details.reason === 'expired'
}

const endings = {
  used: 'This installation is set up already: there is a user, and a link works only once.',
  expired: 'This link has expired: it works for 30 minutes. Start listd again, and it prints a new one.',
  unknown: 'This link is not valid. Use the one that listd printed when it last started.',
}

async function finish({ user, account, apiToken }) {
  // A used token has no value and should not stay in the address bar and the history.
  history.replaceState(null, '', location.pathname)
  part('form').hidden = true
  part('form').reset()
  part('who').textContent = user.email
  part('account').textContent = account.name
  part('value').textContent = apiToken.value
  part('curl').textContent = `curl -sS ${location.origin}/lists -H 'x-api-token: ${apiToken.value}'`
  part('title').textContent = 'listd is set up'
  document.title = 'listd is set up'
  part('done').hidden = false
  part('title').focus()
  await leadOn().catch(() => {})
}

/** The answer set the cookie of a session. Where the dashboard is switched off there is nothing to lead to. */
async function leadOn() {
  const home = await fetch('/', { headers: { accept: 'application/json' } }).then((response) => response.json())
  part('dashboard').hidden = home.dashboard === null
}

function showNotice(text) {
  part('notice').textContent = text
  part('notice').hidden = text === ''
}

function showError(field, text) {
  if (!fields.includes(field)) return
  part(`${field}-error`).textContent = text
  part(field).ariaInvalid = String(text !== '')
}

/** Pages over plain http may not write to the clipboard, except on this machine: then the text is selected instead. */
async function copy({ currentTarget }) {
  const source = part(currentTarget.dataset.copies)
  try {
    await navigator.clipboard.writeText(source.textContent)
    part('copied').textContent = 'Copied.'
  } catch {
    getSelection().selectAllChildren(source)
    part('copied').textContent = 'It is selected: copy it with your keyboard.'
  }
}

part('form').addEventListener('submit', setUp)
part('reveal').addEventListener('change', ({ target }) => {
  part('password').type = target.checked ? 'text' : 'password'
})
for (const button of document.querySelectorAll('[data-copies]')) button.addEventListener('click', copy)
addEventListener('hashchange', readLink)
readLink()

import './style/main.css'
import { render } from 'preact'
import { followAddresses } from './address/location.ts'
import { App } from './app/app.tsx'

const root = document.getElementById('app')
if (root) {
  followAddresses()
  render(<App />, root)
}

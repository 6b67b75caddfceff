import { showLastScheme } from './parts/scheme.ts'

// A script of its own, which the browser waits for before it paints: the rest of the program comes later.
showLastScheme()

import { showLastScheme } from './parts/scheme.ts'

// A separate script: the browser waits for it before it paints, and loads the rest of the program later.
showLastScheme()

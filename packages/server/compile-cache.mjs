// Loaded before the server (`npm start`): keeps compiled modules, so that the next start neither strips types nor
// compiles again. It halves the time to readiness, and the compiler of types does not stay in memory (decision 5).
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Beside the code and not in a folder for everybody: whoever can write here can change the code itself.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/dala'))
// Written at once when the start is over: a server that is killed never gets to its end.
setTimeout(() => flushCompileCache(), 10_000).unref()

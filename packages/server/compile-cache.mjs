// This module is loaded before the server (`npm start`): it keeps compiled modules, so that the next start
// neither strips types nor compiles again. It halves the time to readiness, and the compiler of types does
// not stay in memory (decision 5).
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// The cache of compiled modules is beside the code and not in a folder that everybody can write to: a user who
// can write to the cache can change the code itself.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/dala'))
// The compile cache is written after ten seconds: a server that is killed would not write it at its end.
setTimeout(() => flushCompileCache(), 10_000).unref()

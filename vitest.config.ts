/**
 * All unit tests as one workspace: any of them can be run from the root. Each project has a place in the order
 * (`groupOrder`), quick ones first, because they differ in the number of workers.
 */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { projects: ['packages/model', 'packages/server', 'packages/panel', 'clients', 'scripts'] },
})

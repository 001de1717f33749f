/** Unit tests of the model, and the tests of its types (`*.test-d.ts`), which only the compiler runs. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'model',
    sequence: { groupOrder: 1 },
    include: ['src/**/*.test.ts'],
    // The test files of one worker share what they have loaded: loading it anew for each took as long as the tests.
    isolate: false,
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'] },
  },
})

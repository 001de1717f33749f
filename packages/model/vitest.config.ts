/** Unit tests of the model, and the tests of its types (`*.test-d.ts`), which only the compiler runs. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'model',
    sequence: { groupOrder: 1 },
    include: ['src/**/*.test.ts'],
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'] },
  },
})

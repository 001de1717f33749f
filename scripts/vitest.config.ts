/** Tests of what the scripts decide; what they start is shown by their own runs. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'scripts', sequence: { groupOrder: 2 }, isolate: false, include: ['**/*.test.ts'] },
})

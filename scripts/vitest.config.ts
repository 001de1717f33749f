/** Tests of decisions that the scripts make; the programs that they start prove themselves when they run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'scripts', sequence: { groupOrder: 2 }, isolate: false, include: ['**/*.test.ts'] },
})

/** Unit tests of the panel: components run in jsdom with the real catalogues. */
import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { catalogues } from './build/catalogues.ts'

export default defineConfig({
  plugins: [react(), catalogues()],
  test: {
    name: 'panel',
    sequence: { groupOrder: 3 },
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    css: false,
    // The test files of one worker share what they have loaded: loading it anew for each took longer than the
    // tests.
    isolate: false,
    // Tests wait for timers and answers: on two cores a third worker uses the time.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    // Time zone with an odd offset, so that no test depends on the zone of the machine.
    env: { TZ: 'Asia/Tashkent' },
  },
})

/** Configures how the panel is built and served in development. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { chunkGroups } from './build/chunks.ts'
import { firstPaint, firstPaintInputs } from './build/first-paint.ts'
import { fileNameOf, offlineShell, offlineShellInputs } from './build/offline-shell.ts'
import { precompressFiles } from './build/precompress.ts'

const api = process.env['DALA_API'] ?? 'http://127.0.0.1:1337'

export default defineConfig({
  plugins: [react(), tailwindcss(), catalogues(), firstPaint(), offlineShell(), precompressFiles()],
  build: {
    manifest: true,
    // The packages in the built files with the texts of their licences: a release takes them over.
    license: { fileName: '.vite/licenses.json' },
    sourcemap: false,
    target: 'es2023',
    // Browsers that the build supports, the same as Tailwind's: colours stay as they are written, without
    // copies for older ones.
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    modulePreload: { polyfill: false },
    // The content policy allows pictures and fonts from our own address only, never from data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', ...firstPaintInputs, ...offlineShellInputs },
      output: { entryFileNames: fileNameOf, codeSplitting: { groups: chunkGroups() } },
    },
  },
  server: {
    proxy: { '/api': api, '/uploads': api, '/guide': api, '/socket.io': { target: api, ws: true } },
  },
})

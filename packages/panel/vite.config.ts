/** How the panel is built and served in development. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { precompress } from './build/precompress.ts'

const api = process.env['DALA_API'] ?? 'http://127.0.0.1:1337'

export default defineConfig({
  plugins: [react(), tailwindcss(), catalogues(), precompress()],
  build: {
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // The content policy allows pictures and fonts from our own address only, never from data: addresses.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': api, '/uploads': api },
  },
})
